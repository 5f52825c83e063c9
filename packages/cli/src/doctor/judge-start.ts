import { basename } from "node:path";
import { type Finding, firstFinding, quote, type Rule } from "./finding.ts";
import type { ProgramSeen } from "./program-seen.ts";
import { doctorLine, typed } from "./typed.ts";

/** Why a program could not be started. Undefined if it was. */
export function judgeStart(seen: ProgramSeen): Finding | undefined {
  return firstFinding(RULES, seen);
}

const RULES: readonly Rule<ProgramSeen>[] = [
  ({ folder, folderExists }) =>
    folderExists
      ? undefined
      : {
          id: "D2",
          saw: `The folder ${quote(folder)} does not exist.`,
          fix: "Correct the folder that you gave with --cwd.",
        },
  ({ startError, command: [program, ...rest] }) => {
    if (startError !== "ENOENT") return undefined;
    if (ADDRESS.test(program))
      return {
        id: "D1",
        saw: `The command ${quote(program)} was not found.`,
        because: "It looks like an address without http:// in front of it, so it was taken for the name of a program.",
        fix: "Write the whole address.",
        next: doctorLine(`http://${program}`),
      };
    const spaced = rest.length === 0 && /\s/.test(program);
    return {
      id: "D1",
      saw: `The command ${quote(program)} was not found.`,
      ...(spaced && {
        because: "The whole line was given as one word, so it was taken for the name of a program.",
        fix: "Write the program and its arguments without quotes around all of them.",
        next: `recourse doctor ${program}`,
      }),
      ...(!spaced && { code: `which ${program}   # Windows: where ${program}` }),
      ...(!spaced && isPath(program) && { because: "There is no file at this path.", fix: "Correct the path." }),
    };
  },
  ({ startError, command: [program, ...rest] }) => {
    if (startError !== "EACCES" && startError !== "EPERM" && startError !== "ENOEXEC") return undefined;
    const interpreter = INTERPRETERS.find(([ending]) => program.endsWith(ending))?.[1];
    return {
      id: "D3",
      saw: `The file ${quote(program)} may not be executed (${startError}).`,
      code: `chmod +x ${typed(program)}`,
      ...(interpreter !== undefined && { next: doctorLine(...interpreter.split(" "), program, ...rest) }),
    };
  },
  ({ startError, command: [program] }) =>
    startError === undefined
      ? undefined
      : { id: "D43", saw: `${quote(basename(program))} could not be started: ${startError}.` },
];

/** `localhost:3000/mcp`, `example.com/mcp`. */
const ADDRESS = /^(?:localhost|[\w-]+(?:\.[\w-]+)+|\[[0-9a-f:]+\])(?::\d+(?:\/\S*)?|\/(?:mcp|sse)\b\S*)$/i;

const INTERPRETERS = [
  [".js", "node"],
  [".mjs", "node"],
  [".cjs", "node"],
  [".ts", "node"],
  [".py", "python -u"],
  [".sh", "sh"],
] as const;

function isPath(program: string): boolean {
  return program.includes("/") || program.includes("\\");
}
