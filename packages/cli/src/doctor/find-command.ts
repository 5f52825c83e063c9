import { readFileSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { objectAt, parseJson, stringAt } from "@recourse/core/wire";

/** Where a command is found: by its path, or in the folders of PATH. Undefined if it is nowhere. */
export function findCommand(
  command: string,
  { env, folder }: { readonly env: Readonly<Record<string, string | undefined>>; readonly folder: string },
): string | undefined {
  const variable = (name: string): string | undefined =>
    Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
  const isPath = /[\\/]/.test(command) || isAbsolute(command);
  const folders = isPath ? [folder] : (variable("PATH") ?? "").split(delimiter);
  const endings = ["", ...(variable("PATHEXT")?.toLowerCase().split(";") ?? [])];
  return folders
    .flatMap((one) => endings.map((ending) => resolve(folder, one, `${command}${ending}`)))
    .find((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

/** Files in which people keep aliases and functions of their shell. */
const SHELL_FILES = [
  ".bashrc",
  ".bash_aliases",
  ".bash_profile",
  ".profile",
  ".zshrc",
  ".zprofile",
  ".aliases",
] as const;
const MAX_SHELL_FILE = 256 * 1024;

/** Where a shell of the user defines a command as an alias or a function, which no host sees. Undefined if nowhere. */
export function findAlias(
  command: string,
  { home }: { readonly home: string },
): { readonly file: string; readonly line: number; readonly kind: "alias" | "function" } | undefined {
  if (home === "" || !/^[\w.-]{1,80}$/.test(command)) return undefined;
  const name = command.replaceAll(/[.-]/g, (one) => `\\${one}`);
  const alias = new RegExp(`^\\s{0,20}alias\\s{1,9}${name}=`);
  const shellFunction = new RegExp(`^\\s{0,20}(?:function\\s{1,9}${name}\\b|${name}\\s{0,9}\\(\\))`);
  for (const file of SHELL_FILES) {
    const lines = shellFileLines(join(home, file));
    const line = lines.findIndex((one) => alias.test(one) || shellFunction.test(one));
    if (line !== -1) return { file, line: line + 1, kind: alias.test(lines[line] ?? "") ? "alias" : "function" };
  }
  return undefined;
}

function shellFileLines(path: string): string[] {
  try {
    const found = statSync(path);
    return found.isFile() && found.size <= MAX_SHELL_FILE ? readFileSync(path, "utf8").split(/\r?\n/) : [];
  } catch {
    return [];
  }
}

/** Whether a folder is there. */
export function folderExists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** What the script of a package manager runs: `node dist/server.js` for `npm start`. Undefined for other commands. */
export function findScript([program = "", ...args]: readonly string[], folder: string): string | undefined {
  if (!/(?:^|[\\/])(?:npm|pnpm|yarn|bun)(?:\.cmd|\.exe)?$/i.test(program)) return undefined;
  const [first, second] = args.filter((arg) => !arg.startsWith("-"));
  const name = first === "run" || first === "run-script" ? second : first;
  const text = stringAt(objectAt(readPackage(join(folder, "package.json")), "scripts"), name ?? "start");
  // Operators of shells mean nothing to `doctor`, which starts programs without one.
  return text === undefined || /[&|;<>$`]/.test(text) ? undefined : text;
}

/** A file of JavaScript with a line number, as stacks name it. */
const STACK_FILE = /(?:file:\/\/)?(?:\/|[A-Za-z]:\\)[^\s:'"]{1,400}\.[cm]?[jt]sx?(?=:\d)/;
/** Node names the file at the beginning. */
const MAX_FIRST_LINES = 8_192;

/** The versions of Node that the package of a failing file asks for. The file is named in the first lines of stderr. */
export function findEngines(stderr: string): string | undefined {
  const [named = ""] = STACK_FILE.exec(stderr.slice(0, MAX_FIRST_LINES)) ?? [];
  const file = named.startsWith("file:") ? pathInUrl(named) : named;
  if (file === undefined || file === "") return undefined;
  let folder = dirname(file);
  for (;;) {
    const found = readPackage(join(folder, "package.json"));
    if (found !== undefined) return stringAt(objectAt(found, "engines"), "node");
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

/** The path in a `file:` URL. Undefined if it is not such a URL. */
function pathInUrl(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}

function readPackage(path: string): unknown {
  try {
    return parseJson(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
