// What a process has: its standard streams and its packages. Browsers and workers do not have them.

export interface TextWriter {
  write(text: string): unknown;
}

/** What this library uses of `process` and `Buffer`. */
interface Platform {
  readonly process?: {
    readonly stdin?: object;
    readonly stdout?: TextWriter;
    readonly stderr?: TextWriter;
    readonly env?: Readonly<Record<string, string | undefined>>;
    readonly argv?: readonly string[];
    getBuiltinModule?(name: string): unknown;
  };
  readonly console?: { error(text: string): void };
  readonly Buffer?: {
    from(text: string, encoding: unknown): Uint8Array;
    from(bytes: ArrayBufferLike, offset: number, length: number): Uint8Array;
  };
}

export function platform(): Platform {
  return globalThis as Platform;
}

/** Writes to standard error, or to the console if there is no process. Standard output may carry the protocol. */
export function writeStderr(text: string): void {
  const { process, console } = platform();
  if (typeof process?.stderr?.write === "function") process.stderr.write(text);
  else console?.error(text.trimEnd());
}

/** What is used of `node:module` and `node:fs`. */
interface PackageFiles {
  findPackageJSON(name: string, from: string): string;
  realpathSync(path: string): string;
  readFileSync(path: string, encoding: "utf8"): string;
}

/** The version of a package as the program has it; undefined if that cannot be found out, as in a bundle or a browser. */
export function installedVersion(name: string): string | undefined {
  const { process } = platform();
  try {
    const load = (module: string) => process?.getBuiltinModule?.(module) as PackageFiles;
    const { readFileSync, realpathSync } = load("node:fs");
    const file = load("node:module").findPackageJSON(name, realpathSync(process?.argv?.[1] ?? ""));
    return (JSON.parse(readFileSync(file, "utf8")) as { readonly version?: string }).version;
  } catch {
    return undefined;
  }
}
