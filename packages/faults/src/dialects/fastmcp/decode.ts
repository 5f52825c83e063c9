import type { Fault } from "../../fault/fault.ts";
import type { DecodeContext } from "../dialect.ts";
import { firstText, splitReply } from "../envelope.ts";
import { stripCodePrefix } from "../rpc.ts";
import { matchSentence } from "../sentence-patterns.ts";
import { FASTMCP_ERROR_PATTERNS, FASTMCP_TOOL_PATTERNS } from "./patterns.ts";

/** Reads a sentence of FastMCP or the Python SDK; undefined for every other sentence. */
export function decodeFastmcp(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { result, error } = splitReply(wire);
  if (result?.["isError"] === true) {
    return matchSentence(FASTMCP_TOOL_PATTERNS, { text: firstText(result) ?? "", code: undefined }, context);
  }
  if (error?.message === undefined) return undefined;
  // FastMCP for TypeScript is built on version 1 of the SDK, which writes the code in front of the text.
  const { text } = stripCodePrefix(error.message);
  return matchSentence(FASTMCP_ERROR_PATTERNS, { text, code: error.code }, context);
}
