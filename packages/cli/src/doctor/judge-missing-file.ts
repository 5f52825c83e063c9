import { lineWith } from "./error-line.ts";
import { type Finding, quote } from "./finding.ts";
import type { ProgramSeen } from "./program-seen.ts";
import { typed } from "./typed.ts";

/** How runtimes say that a file or a module is missing. */
const MISSING =
  /Cannot find (?:module|package)|No module named|can't open file|Could not read package\.json|ENOENT.*package\.json|Unable to access jarfile|does not provide an export named|ERR_MODULE_NOT_FOUND/i;

/** Whether a program ended because a file or a module is missing. */
export function judgeMissingFile({ stderr, folder, command }: ProgramSeen): Finding | undefined {
  const line = lineWith(MISSING, stderr);
  if (line === "") return undefined;
  const found = { id: "D5", saw: quote(line) } as const;
  if (/package\.json/.test(line))
    return {
      ...found,
      because: `The folder ${quote(folder)} has no package.json.`,
      fix: "Give the folder of the project with --cwd.",
      code: `recourse doctor --cwd <folder> ${command.map(typed).join(" ")}`,
    };
  const [, what = ""] = /(?<!\w)['"]([^'"]+)['"]/.exec(line) ?? /(\S+)$/.exec(line) ?? [];
  const isPath = /[\\/]/.test(what) && !what.startsWith("@");
  const isPython = /No module named|\.py\b|Traceback/.test(stderr);
  if (isPath && !/does not provide an export/.test(line))
    return {
      ...found,
      because: "The file is not there: the path is wrong, or the project is not built.",
      fix: `Check the path; a relative one is looked up in ${quote(folder)}. Build the project if the file is its output.`,
      code: isPython ? `recourse doctor --cwd <folder> ${command.map(typed).join(" ")}` : "npm run build",
    };
  return {
    ...found,
    because: "A dependency is not installed, or another version of it is.",
    fix: "Install the dependencies in the folder of the project.",
    code: isPython ? "pip install -r requirements.txt" : "npm install",
  };
}
