import { readFileSync, statSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { objectAt, parseJson, stringAt } from "@recourse/faults/internal-do-not-use";

/** Whether a folder is there. */
export function folderExists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

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

/** What the script of a package manager runs: `node dist/server.js` for `npm start`. Undefined for other commands. */
export function scriptOf([program = "", ...args]: readonly string[], folder: string): string | undefined {
  if (!/(?:^|[\\/])(?:npm|pnpm|yarn|bun)(?:\.cmd|\.exe)?$/i.test(program)) return undefined;
  const [first, second] = args.filter((arg) => !arg.startsWith("-"));
  const name = first === "run" || first === "run-script" ? second : first;
  const text = stringAt(objectAt(readPackage(join(folder, "package.json")), "scripts"), name ?? "start");
  // Operators of shells mean nothing to `doctor`, which starts programs without one.
  return text === undefined || /[&|;<>$`]/.test(text) ? undefined : text;
}

/** The versions of Node that the package of a failing file asks for. The file is named in the first lines of stderr. */
export function enginesOf(stderr: string): string | undefined {
  const [named] = /(?:file:\/\/)?(?:\/|[A-Za-z]:\\)[^\s:'"]+\.[cm]?[jt]sx?(?=:\d)/.exec(stderr) ?? [];
  if (named === undefined) return undefined;
  let folder = dirname(named.startsWith("file:") ? fileURLToPath(named) : named);
  for (;;) {
    const found = readPackage(join(folder, "package.json"));
    if (found !== undefined) return stringAt(objectAt(found, "engines"), "node");
    const parent = dirname(folder);
    if (parent === folder) return undefined;
    folder = parent;
  }
}

function readPackage(path: string): unknown {
  try {
    return parseJson(readFileSync(path, "utf8"));
  } catch {
    return undefined;
  }
}
