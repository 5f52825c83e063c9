import { basename } from "node:path";
import { doctorLine, shellWord } from "../terminal/shell.ts";
import { durationText } from "../terminal/wording.ts";
import type { ProgramObservation } from "./conversation.ts";
import { type CauseFinding, type CauseRule, firstFinding, quoteLine } from "./diagnosis.ts";
import { type Framing, findErrorLine, lastLines, readStdout } from "./program-text.ts";

/** Why a program could not be started. Undefined if it was. */
export function judgeStart(seen: ProgramObservation): CauseFinding | undefined {
  return firstFinding(START_RULES, seen);
}

const START_RULES: readonly CauseRule<ProgramObservation>[] = [
  ({ folder, folderExists, inFile }) =>
    folderExists
      ? undefined
      : {
          id: "D2",
          saw: `The folder ${quoteLine(folder)} does not exist.`,
          fix: inFile === true ? 'Correct "cwd" of the entry.' : "Correct the folder that you gave with --cwd.",
        },
  ({ startError, command: [program, ...rest], alias, inFile }) => {
    if (startError !== "ENOENT") return undefined;
    if (alias !== undefined)
      return {
        id: "D1",
        saw: `The command ${quoteLine(program)} was not found; it is ${alias.kind === "alias" ? "an alias" : "a function"} of your shell (${alias.file}, line ${alias.line}).`,
        because: "Hosts start programs without a shell, so they know no aliases and functions.",
        fix: `Write what ${quoteLine(program)} stands for.`,
      };
    if (BARE_ADDRESS.test(program))
      return {
        id: "D1",
        saw: `The command ${quoteLine(program)} was not found.`,
        because: "It looks like an address without http:// in front of it, so it was taken for the name of a program.",
        fix: "Write the whole address.",
        next: doctorLine(`http://${program}`),
      };
    const spaced = rest.length === 0 && /\s/.test(program);
    return {
      id: "D1",
      saw: `The command ${quoteLine(program)} was not found.`,
      ...(inFile === true && {
        fix: `Install ${quoteLine(program)}, or write its absolute path. If it works in your terminal, "type ${program}" says what it is there.`,
      }),
      ...(spaced && {
        because: "The whole line was given as one word, so it was taken for the name of a program.",
        fix: "Write the program and its arguments without quotes around all of them.",
        next: `recourse doctor ${program}`,
      }),
      ...(!spaced && { code: `which ${program}   # Windows: where ${program}` }),
      ...(!spaced && looksLikePath(program) && { because: "There is no file at this path.", fix: "Correct the path." }),
    };
  },
  ({ startError, command: [program, ...rest] }) => {
    if (startError !== "EACCES" && startError !== "EPERM" && startError !== "ENOEXEC") return undefined;
    const interpreter = INTERPRETERS.find(([ending]) => program.endsWith(ending))?.[1];
    return {
      id: "D3",
      saw: `The file ${quoteLine(program)} may not be executed (${startError}).`,
      code: `chmod +x ${shellWord(program)}`,
      ...(interpreter !== undefined && { next: doctorLine(...interpreter.split(" "), program, ...rest) }),
    };
  },
  ({ startError, command: [program] }) =>
    startError === undefined
      ? undefined
      : { id: "D43", saw: `${quoteLine(basename(program))} could not be started: ${startError}.` },
];

/** `localhost:3000/mcp`, `example.com/mcp`. */
const BARE_ADDRESS = /^(?:localhost|[\w-]+(?:\.[\w-]+)+|\[[0-9a-f:]+\])(?::\d+(?:\/\S*)?|\/(?:mcp|sse)\b\S*)$/i;

const INTERPRETERS = [
  [".js", "node"],
  [".mjs", "node"],
  [".cjs", "node"],
  [".ts", "node"],
  [".py", "python -u"],
  [".sh", "sh"],
] as const;

function looksLikePath(program: string): boolean {
  return program.includes("/") || program.includes("\\");
}

const FRAMINGS = {
  "content-length": "stdout begins with a Content-Length header, as language servers write it.",
  "byte-order-mark": "stdout begins with a byte order mark.",
  "several-lines": "One message is spread over several lines.",
  "no-newline": "The message has no newline after it, so a client waits for its end.",
} as const satisfies Record<Framing, string>;

/** What is wrong with the text on stdout of a program that answered. Undefined if it is clean. */
export function judgeStdout(seen: ProgramObservation): CauseFinding | undefined {
  const { framing, strayLines, messages } = readStdout(seen.stdout);
  if (framing !== undefined) return { id: "D11", saw: FRAMINGS[framing] };
  const [first] = strayLines;
  return first === undefined || messages.length === 0 ? undefined : polluted(seen, first, strayLines.length);
}

/** Why a program that runs did not answer. There is always a verdict. */
export function judgeSilence(seen: ProgramObservation): CauseFinding {
  if (seen.echoes)
    return {
      id: "D44",
      saw: "It sends back what it gets and answers nothing.",
      because: "The program repeats its input, so it is not an MCP server.",
      fix: "Give the command that starts the server.",
    };
  const broken = judgeStdout(seen);
  if (broken !== undefined) return broken;
  const url = listeningAt(`${seen.stderr}\n${seen.stdout}`);
  if (url !== undefined)
    return {
      id: "D12",
      saw: url.line,
      ...(url.url !== undefined && { next: doctorLine(url.url), code: doctorLine(url.url) }),
    };
  const { strayLines } = readStdout(seen.stdout);
  const line = strayLines[0] ?? findErrorLine(seen.stderr) ?? lastLines(seen.stderr, 1)[0];
  const python = seen.command.some((part) => /(?:^|[\\/])(?:python[\d.]*|uvx?)(?:\.exe)?$/.test(part));
  return {
    id: "D13",
    saw: `It runs, and did not answer within ${durationText(seen.waitedMs)}.${line === undefined ? "" : ` It said: ${quoteLine(line)}`}`,
    fix: python
      ? "Start Python with -u, or set PYTHONUNBUFFERED=1, so that its output is not held back."
      : "Look at its stderr with --verbose: it may wait for a setting, a service or a key press. If it only starts slowly, raise the limit.",
    code: doctorLine(...(python ? ["-e", "PYTHONUNBUFFERED=1"] : ["--verbose", "--timeout", "60"]), ...seen.command),
  };
}

function polluted(seen: ProgramObservation, first: string, count: number): CauseFinding {
  const runner = /^(?:npm|pnpm|yarn|bun)(?:\.cmd|\.exe)?$/.test(seen.command[0].split(/[\\/]/).at(-1) ?? "");
  return {
    id: "D10",
    saw: `${quoteLine(first, 80)} is not a JSON-RPC message; ${count === 1 ? "1 such line" : `${count} such lines`} on stdout beside valid messages.`,
    ...(runner && {
      because: `${seen.command[0]} writes what it runs to stdout, and so may your own code. Clients lose messages over it.`,
      fix: "Start the program itself, without the script runner. If your own code prints too, guard stdout in its first line.",
    }),
    ...(seen.script !== undefined && { next: `recourse doctor ${seen.script}` }),
  };
}

/** A port as programs name it. `axios.cjs:1684:24` is a place in a file. */
const NAMED_PORT =
  /(?:\bport\b:? ?|(?:^|[\s/@([])(?:localhost|\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[[\da-f:]{0,40}\]|\*)?:)(\d{2,5})\b(?!:\d)|https?:\/\/\S/i;

/** The address that a program says it listens on. */
function listeningAt(text: string): { readonly line: string; readonly url?: string } | undefined {
  const line = text
    .split(/\r?\n/)
    .find(
      (one) => /\b(?:listening|running|serving|started|server|available|endpoint)\b/i.test(one) && NAMED_PORT.test(one),
    );
  if (line === undefined) return undefined;
  const [given] = /https?:\/\/[^\s"'<>)\]]+/.exec(line) ?? [];
  const [, port] = NAMED_PORT.exec(line) ?? [];
  const address = given ?? (port === undefined ? undefined : `http://localhost:${port}/mcp`);
  const url = address === undefined ? undefined : withPath(address);
  return { line: `stdout is silent, and it says: ${quoteLine(line)}`, ...(url !== undefined && { url }) };
}

/** The address, with the usual path if it has none. */
function withPath(address: string): string {
  const parsed = URL.parse(address.replace(/[.,;]+$/, "").replace("//0.0.0.0", "//127.0.0.1"));
  if (parsed === null) return address;
  if (parsed.pathname === "/") parsed.pathname = "/mcp";
  return parsed.href;
}
