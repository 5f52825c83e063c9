// The standard streams of a process. Browsers and workers do not have them.

/** A stream that text can be written to. */
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
  };
  readonly console?: { error(text: string): void };
  readonly Buffer?: {
    from(text: string, encoding: unknown): Uint8Array;
    from(bytes: ArrayBufferLike, offset: number, length: number): Uint8Array;
  };
}

/** The globals of the platform that this library uses. */
export function platform(): Platform {
  return globalThis as Platform;
}

/** Writes to standard error, or to the console if there is no process. Standard output may carry the protocol. */
export function writeStderr(text: string): void {
  const { process, console } = platform();
  if (typeof process?.stderr?.write === "function") process.stderr.write(text);
  else console?.error(text.trimEnd());
}
