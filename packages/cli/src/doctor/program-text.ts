import type { JsonObject } from "@recourse/core/wire";
import { parseBounded } from "../recording/parse.ts";
import { messagesIn } from "../wire/messages.ts";

/** Lines that never say why: stack frames, heap dumps, the version of Node, notices of npm, deprecations. */
const NOISE =
  /^\s*$|^\s+at |^\s*\^+\s*$|^Node\.js v\d|^\s*<-{2,}|^\s*-{2,}|0x[0-9a-f]{6,}|^npm (?:notice|warn|WARN)|^npm (?:error|ERR!) (?:A complete log|code |errno |path |syscall |$)|^npm (?:error|ERR!)?\s+\/\S+-debug|^\(node:\d+\)|^\(Use `node|^> |^node:internal\/|^\s*throw |^\[?\d{4}-\d\d-\d\dT\S+\]?\s*$|^file:\/\/|^\/\S+:\d+$|^[A-Za-z]:\\\S+:\d+$|^Traceback |^\s+File "/;

/** How errors of runtimes begin: `TypeError: …`, `Error [ERR_X]: …`, `ModuleNotFoundError: …`. */
const ERROR_NAME =
  /^\s*(?:Uncaught |\S+ )?(?:[a-z_]\w{0,40}\.){0,6}(?:[A-Z]\w*)?(?:Error|Exception)\b(?: \[\w+\])?: \S/;

/** Words of people and tools who report a failure. */
const ERROR_WORD =
  /\b(?:errors?|fatal|panic|fail(?:ed|ure)?|cannot|can't|could not|unable|missing|required?|requires|invalid|not found|not set|no such|denied|refused|please provide|usage)\b|\bE[A-Z]{4,}\b/i;

/**
 * The line of stderr that says why. Node ends with lines that help nobody, so it is the first line that names an error;
 * if no line does, the last that says something. Undefined if stderr says nothing.
 */
export function findErrorLine(stderr: string): string | undefined {
  const said = stderr
    .split(/\r?\n/)
    .map(withoutGroupMarks)
    .filter((line) => !NOISE.test(line));
  // Python's line about a group of errors does not say which.
  const inner = said.filter((line) => !/ExceptionGroup\b|unhandled errors in a TaskGroup/.test(line));
  const lines = inner.some((line) => ERROR_NAME.test(line) || ERROR_WORD.test(line)) ? inner : said;
  const line = lines.find((one) => ERROR_NAME.test(one)) ?? lines.find((one) => ERROR_WORD.test(one)) ?? lines.at(-1);
  return line?.trim();
}

/** A line of a traceback of Python without the marks of groups: `  | httpx.ConnectError: …`. */
function withoutGroupMarks(line: string): string {
  return line.replace(/^[\s|+]{0,60}(?:-[+-]{1,60}[\s\d-]{0,60})?(?=\S)/, (marks) => (/[|+]/.test(marks) ? "" : marks));
}

/** The last lines of stderr that say something. */
export function lastLines(stderr: string, count = 3): readonly string[] {
  return stderr
    .split(/\r?\n/)
    .filter((line) => !NOISE.test(line))
    .slice(-count)
    .map((line) => line.trim());
}

/** The first line that matches. Empty if none does. */
export function lineWith(pattern: RegExp, text: string): string {
  return (
    text
      .split(/\r?\n/)
      .find((line) => pattern.test(line))
      ?.trim() ?? ""
  );
}

/** How the messages on stdout are separated, if not as they should be. */
export type Framing = "content-length" | "byte-order-mark" | "several-lines" | "no-newline";

/** What a program wrote to stdout, taken apart. */
interface StdoutText {
  /** JSON-RPC messages, one per line. */
  readonly messages: readonly JsonObject[];
  /** Other lines that are not blank. */
  readonly strayLines: readonly string[];
  readonly framing?: Framing;
}

const BYTE_ORDER_MARK = "\ufeff";

/** Takes the text on stdout apart. */
export function readStdout(text: string): StdoutText {
  const lines = text.split("\n");
  const rest = lines.pop() ?? "";
  const messages = lines.flatMap(lineMessages);
  const strayLines = lines.filter((line) => line.trim() !== "" && lineMessages(line).length === 0);
  const framing = findFraming(text, { messages, rest });
  return { messages, strayLines, ...(framing !== undefined && { framing }) };
}

/** The JSON-RPC messages of a line. Empty if the line is something else. */
function lineMessages(line: string): readonly JsonObject[] {
  return messagesIn(parseBounded(line));
}

function findFraming(
  text: string,
  { messages, rest }: { readonly messages: readonly JsonObject[]; readonly rest: string },
): Framing | undefined {
  if (text.startsWith(BYTE_ORDER_MARK)) return "byte-order-mark";
  if (/^\s*Content-(?:Length|Type):/i.test(text)) return "content-length";
  if (messages.length > 0) return undefined;
  if (lineMessages(rest).length > 0) return "no-newline";
  // Several lines that are one message together. What stands before its brace is another matter.
  const start = text.search(/^\s*\{\s*$/m);
  return start !== -1 && /"jsonrpc"\s*:\s*"2\.0"/.test(text.slice(start)) ? "several-lines" : undefined;
}
