import type { JsonObject } from "@recourse/faults/internal-do-not-use";
import { parseBounded } from "../recording/parse-json.ts";
import { messagesIn } from "../wire/messages.ts";

/** How the messages on stdout are separated, if not as they should be. */
export type Framing = "content-length" | "byte-order-mark" | "several-lines" | "no-newline";

/** What a program wrote to stdout, taken apart. */
export interface StdoutText {
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
  const messages = lines.flatMap(messagesOf);
  const strayLines = lines.filter((line) => line.trim() !== "" && messagesOf(line).length === 0);
  const framing = framingOf(text, { messages, rest });
  return { messages, strayLines, ...(framing !== undefined && { framing }) };
}

/** The JSON-RPC messages of a line. Empty if the line is something else. */
function messagesOf(line: string): readonly JsonObject[] {
  return messagesIn(parseBounded(line));
}

function framingOf(
  text: string,
  { messages, rest }: { readonly messages: readonly JsonObject[]; readonly rest: string },
): Framing | undefined {
  if (text.startsWith(BYTE_ORDER_MARK)) return "byte-order-mark";
  if (/^\s*Content-(?:Length|Type):/i.test(text)) return "content-length";
  if (messages.length > 0) return undefined;
  if (messagesOf(rest).length > 0) return "no-newline";
  // Several lines that are one message together. What stands before its brace is another matter.
  const start = text.search(/^\s*\{\s*$/m);
  return start !== -1 && /"jsonrpc"\s*:\s*"2\.0"/.test(text.slice(start)) ? "several-lines" : undefined;
}
