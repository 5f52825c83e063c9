import { win32 } from "node:path";

/** A program with arguments in the form that `spawn` takes on Windows. */
export interface WindowsCommand {
  readonly file: string;
  readonly args: readonly string[];
  /** The arguments are already quoted. */
  readonly verbatim: boolean;
}

export interface WindowsLookup {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly isFile: (path: string) => boolean;
}

const META = /([()\][%!^"`<>&|;, *?])/g;

/**
 * How to start a program on Windows. Node refuses to start `.cmd` and `.bat` files itself, and `npx` is one: those go
 * through cmd.exe, with every argument quoted for it.
 */
export function windowsCommand(command: string, args: readonly string[], lookup: WindowsLookup): WindowsCommand {
  const file = findProgram(command, lookup) ?? command;
  if (!/\.(?:cmd|bat)$/i.test(file)) return { file, args, verbatim: false };
  const line = [file.replaceAll(META, "^$1"), ...args.map(quoteForBatch)].join(" ");
  return {
    file: variable(lookup.env, "COMSPEC") ?? "cmd.exe",
    args: ["/d", "/s", "/c", `"${line}"`],
    verbatim: true,
  };
}

/** Quotes for the C runtime first, then twice for cmd.exe: a batch file reads its line a second time. */
function quoteForBatch(arg: string): string {
  const quoted = `"${arg.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, "$1$1")}"`;
  return quoted.replaceAll(META, "^$1").replaceAll(META, "^$1");
}

function findProgram(command: string, { env, cwd, isFile }: WindowsLookup): string | undefined {
  const folders = /[\\/]/.test(command) ? [""] : [cwd, ...(variable(env, "PATH") ?? "").split(";")];
  const endings = (variable(env, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD").split(";");
  const names = win32.extname(command) === "" ? endings.map((ending) => command + ending) : [command];
  for (const folder of folders)
    for (const name of names) {
      const path = win32.resolve(cwd, folder, name);
      if (isFile(path)) return path;
    }
  return undefined;
}

function variable(env: WindowsLookup["env"], name: string): string | undefined {
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}
