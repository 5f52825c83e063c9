import { type ConnectionCauseId, findFailureForm, readFailure } from "@recourse/explain";
import { isOlder } from "../program/node-version.ts";
import { doctorLine, shellWord } from "../terminal/shell.ts";
import { durationText } from "../terminal/wording.ts";
import type { ProgramEnd, ProgramObservation } from "./conversation.ts";
import { type CauseFinding, type CauseRule, firstFinding, quoteLine } from "./diagnosis.ts";
import { findErrorLine, lineWith } from "./program-text.ts";

/** A program that ended before it answered the handshake. */
type EndedProgram = ProgramObservation & { readonly ended: ProgramEnd };

/** Why a program ended before it answered. There is always a verdict; the last one only shows the error line. */
export function judgeEnding(seen: EndedProgram): CauseFinding {
  return firstFinding(ENDING_RULES, seen) ?? { id: "D43", saw: describeEnding(seen) };
}

/** The first rule that fits counts, so what is specific stands first. */
const ENDING_RULES: readonly CauseRule<EndedProgram>[] = [
  (seen) => {
    const { code, signal } = seen.ended;
    const heap = /heap out of memory|out of memory|MemoryError/i.test(seen.stderr);
    const killed = signal === "SIGKILL" || code === 137;
    if (!heap && !killed && signal !== "SIGABRT" && code !== 134) return undefined;
    if (heap)
      return { id: "D17", saw: "It ran out of memory.", because: "The memory limit of the program was reached." };
    return {
      id: "D17",
      saw: `It was ended by ${signal ?? `exit code ${code}`} after ${durationText(seen.ended.ms)}.`,
      ...(killed && { because: "The system or a container stopped it, most often because memory ran out." }),
    };
  },
  (seen) => {
    if (findFailureForm(seen.stderr, "npx-question") === undefined) return undefined;
    const [, list = ""] = /missing packages and no YES option: \[([^\]]*)\]/i.exec(seen.stderr) ?? [];
    const [program, ...rest] = seen.command;
    return {
      id: "D15",
      saw: list === "" ? "npx wanted to ask a question." : `npx wanted to ask whether it may install ${list}.`,
      code: [program, "-y", ...rest].map(shellWord).join(" "),
      next: doctorLine(program, "-y", ...rest),
      corrected: { command: [program, "-y", ...rest] },
    };
  },
  (seen) => {
    const text = seen.stderr;
    const form = findFailureForm(text, "package-not-found");
    if (form === undefined) return undefined;
    const [, name = form.named] =
      /['"]([^'"\s]+?)(?:@\*|@latest)?['"] (?:is not in|could not be found)/.exec(text) ??
      /for ([\w.-]+)\s*$/m.exec(text) ??
      [];
    return {
      id: "D16",
      saw:
        name === undefined
          ? "The registry does not have this package."
          : `The registry has no package ${quoteLine(name)}.`,
      ...(name !== undefined && { code: `npm view ${name} name` }),
    };
  },
  (seen) => {
    const name = findFailureForm(seen.stderr, "env-interpreter")?.named;
    if (name === undefined) return undefined;
    return {
      id: "D4",
      saw: `The script asks for ${quoteLine(name)}, which is not in PATH.`,
      code: `which ${name}`,
      next: `recourse doctor "$(which ${name})" ${seen.command.map(shellWord).join(" ")}`,
    };
  },
  (seen) => {
    const form =
      findFailureForm(seen.stderr, "command-not-found") ?? findFailureForm(seen.stderr, "command-not-found-words");
    const name = form?.named;
    const { code } = seen.ended;
    if (name === undefined && code !== 127 && code !== 9009) return undefined;
    return {
      id: "D1",
      saw:
        name === undefined
          ? `A command inside it was not found (exit code ${code}).`
          : `It runs ${quoteLine(name)}, which was not found.`,
      because: "A script starts a program that is not installed here, or its dependencies are not installed.",
      fix: "Install the dependencies of the project, then try again.",
      code: "npm install",
    };
  },
  (seen) =>
    seen.ended.code === 126
      ? { id: "D3", saw: `${describeEnding(seen)} Exit code 126 means that a file may not be executed.` }
      : undefined,
  judgeNodeVersion,
  (seen) => {
    const form = findFailureForm(seen.stderr, "native-part");
    if (form === undefined) return undefined;
    // The paths that were tried follow on the next lines.
    const rest = seen.stderr.slice(seen.stderr.indexOf(form.line));
    const [, name] = /node_modules[\\/]((?:@[^\\/\s]+[\\/])?[^\\/\s'"]+)[\\/]/.exec(rest) ?? [];
    return {
      id: "D6",
      saw: `A compiled part is missing or does not fit this Node.js: ${quoteLine(form.line)}`,
      ...(name !== undefined && { code: `npm rebuild ${name.replaceAll("\\", "/")}` }),
    };
  },
  judgeMissingFile,
  (seen) => {
    const form = findFailureForm(`${seen.stderr}\n${seen.stdout}`, "port-in-use");
    if (form === undefined) return undefined;
    const { line, named } = form;
    const [, port = named] = /(?:port |:)(\d{2,5})\b(?!:\d)/i.exec(line) ?? [];
    return {
      id: "D19",
      saw: port === undefined ? `A port is in use: ${quoteLine(line)}` : `Port ${port} is already in use.`,
      ...(port !== undefined && { code: `lsof -i :${port}   # Windows: netstat -ano | findstr :${port}` }),
    };
  },
  ({ stderr }) => {
    const form = findFailureForm(stderr, "registry-unreachable");
    if (form === undefined) return undefined;
    // npm names its code first, and the reason on the lines below.
    const line = lineWith(SERVICE_DOWN, stderr) || findErrorLine(stderr) || form.line;
    return { id: "D8", saw: `The package registry cannot be reached: ${quoteLine(line)}`, ...form.words };
  },
  (seen) => {
    const line = lineWith(SERVICE_DOWN, seen.stderr);
    if (line === "") return undefined;
    const [, address] = /((?:\[[0-9a-f:]{1,45}\]|(?<![\w.:-])[\w.-]{1,253}):\d{2,5})\b(?!:\d)/i.exec(line) ?? [];
    return {
      id: "D8",
      saw: address === undefined ? quoteLine(line) : `It cannot reach ${address}: ${quoteLine(line)}`,
    };
  },
  judgeByTable,
  (seen) => {
    const line = findErrorLine(seen.stderr) ?? findErrorLine(seen.stdout);
    if (seen.ended.code === 0 || line === undefined || !isAboutSettings(line)) return undefined;
    const [variable] = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/.exec(line.replace(/\[?\bERR_\w+\]?/g, "")) ?? [];
    return {
      id: "D7",
      saw: `It says: ${quoteLine(line)}`,
      code:
        seen.inFile === true && variable !== undefined
          ? `"env": { "${variable}": "…" }`
          : `recourse doctor -e ${variable ?? "NAME"}=… ${seen.command.map(shellWord).join(" ")}`,
      ...(variable !== undefined && { fix: variableFix(variable, seen), variable }),
    };
  },
  (seen) => {
    if (seen.ended.code !== 0) return undefined;
    const said = [seen.stdout, seen.stderr].map((text) => text.trim()).find((text) => text !== "");
    return {
      id: "D9",
      saw:
        said === undefined
          ? `It ended after ${durationText(seen.ended.ms)} with exit code 0 and said nothing.`
          : `It ended with exit code 0 after it said: ${quoteLine(firstTextLine(said))}`,
      ...(said === undefined && {
        fix: "Check the command and its arguments: a server on stdio runs until stdin is closed.",
      }),
    };
  },
];

function variableFix(variable: string, { withheld, inFile }: ProgramObservation): string {
  const where = inFile === true ? 'in "env" of the entry' : "with -e, and in the settings of the host";
  return withheld?.has(variable) === true
    ? `Your shell has ${variable}, but hosts do not pass it on. Give it ${where}.`
    : `Give the variable ${variable} ${inFile === true ? where : "here with -e and in the settings of the host"}.`;
}

const SERVICE_DOWN =
  /ECONNREFUSED|connection refused|EAI_AGAIN|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|(?:could not|cannot|unable to) connect to/i;

/** Errors in code, not in settings. */
const CODE_ERROR = /^\s*(?:Uncaught )?(?:Type|Reference|Syntax|Range)Error\b/;

const SETTING =
  /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b|\b(?:environment variable|env var|api[ _-]?key|access[ _-]?token|credentials?|config(?:uration)?|arguments?|options?|flags?|parameters?|usage|director(?:y|ies)|folders?|missing script|connection string|(?:database|base|server)[ _-]?url)\b|\b(?:required?|must be|please (?:provide|set|specify)|not set|is missing|specify)\b|--\w[\w-]+/i;

function isAboutSettings(line: string): boolean {
  return !CODE_ERROR.test(line) && SETTING.test(line.replace(/\[?\bERR_\w+\]?/g, ""));
}

/** How it ended, with the line that says why. */
export function describeEnding({ ended, stderr, stdout }: EndedProgram): string {
  const how = ended.signal === null ? `exit code ${ended.code}` : ended.signal;
  const line = findErrorLine(stderr) ?? findErrorLine(stdout);
  return line === undefined
    ? `It ended with ${how} after ${durationText(ended.ms)} and said nothing.`
    : `It ended with ${how}: ${quoteLine(line)}`;
}

function firstTextLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? "";
}

/** Whether a program ended because a file or a module is missing. */
function judgeMissingFile({ stderr, folder, command }: ProgramObservation): CauseFinding | undefined {
  const form = findFailureForm(stderr, "missing-module");
  if (form === undefined) return undefined;
  const { line } = form;
  const found = { id: "D5", saw: quoteLine(line) } as const;
  if (/package\.json/.test(line))
    return {
      ...found,
      because: `The folder ${quoteLine(folder)} has no package.json.`,
      fix: "Give the folder of the project with --cwd.",
      code: `recourse doctor --cwd <folder> ${command.map(shellWord).join(" ")}`,
    };
  const [, what = ""] = /(?<!\w)['"]([^'"]+)['"]/.exec(line) ?? /(\S+)$/.exec(line) ?? [];
  const isPath = /[\\/]/.test(what) && !what.startsWith("@");
  const isPython = /No module named|\.py\b|Traceback/.test(stderr);
  if (isPath && !/does not provide an export/.test(line))
    return {
      ...found,
      because: "The file is not there: the path is wrong, or the project is not built.",
      fix: `Check the path; a relative one is looked up in ${quoteLine(folder)}. Build the project if the file is its output.`,
      code: isPython ? `recourse doctor --cwd <folder> ${command.map(shellWord).join(" ")}` : "npm run build",
    };
  return {
    ...found,
    because: "A dependency is not installed, or another version of it is.",
    fix: "Install the dependencies in the folder of the project.",
    code: isPython ? "pip install -r requirements.txt" : "npm install",
  };
}

/** Causes for which the texts of programs are enough. For the others, more was seen than a text. */
const TEXT_CAUSES: ReadonlySet<ConnectionCauseId> = new Set(["D1", "D3", "D8", "D16", "D73", "D77"]);

/** What the table of texts knows beyond the rules of this file, such as images of Docker and versions of Python. */
function judgeByTable({ stderr, ended }: EndedProgram): CauseFinding | undefined {
  if (ended.code === 0) return undefined;
  const script = findFailureForm(stderr, "missing-script");
  if (script !== undefined) return { id: "D7", saw: `It says: ${quoteLine(script.line)}`, ...script.words };
  const reading = readFailure(stderr);
  if (!reading.found || reading.basis === "guessed" || reading.cause === undefined) return undefined;
  const { id, because, fix, code } = reading.cause;
  if (!TEXT_CAUSES.has(id)) return undefined;
  return { id, saw: `It says: ${quoteLine(reading.recognised)}`, because, fix, ...(code !== undefined && { code }) };
}

/** Whether Node itself is too old for the program. Undefined if nothing says so. */
function judgeNodeVersion({ stderr, engines }: ProgramObservation): CauseFinding | undefined {
  const running = /^Node\.js v(\d+\.\d+\.\d+)/m.exec(stderr)?.[1];
  const line = findErrorLine(stderr) ?? "";
  // A class or function that a newer Node has in its own modules, or a whole module.
  const sure =
    /module 'node:[\w/]+' does not provide an export|No such built-in module: node:|ERR_UNKNOWN_BUILTIN_MODULE|ERR_UNKNOWN_FILE_EXTENSION[^\n]*\.[cm]?ts\b|Unknown file extension "\.[cm]?ts"|code EBADENGINE|Unsupported engine/i.test(
      stderr,
    );
  const needed = /required: \{[^}]*node: '([^']+)'/.exec(stderr)?.[1] ?? engines;
  const older =
    running !== undefined && needed !== undefined && /SyntaxError|is not a function|is not defined/.test(line)
      ? isOlder(running, needed)
      : false;
  if (!sure && !older) return undefined;
  const has = running === undefined ? "" : ` This is Node.js ${running}.`;
  return {
    id: "D20",
    saw: `${quoteLine(line)}.${has}`,
    ...(needed !== undefined && { because: `The package asks for Node.js ${needed}.` }),
    ...(needed !== undefined && { fix: `Start it with a Node.js that fits ${needed}.` }),
    code: "node --version",
  };
}
