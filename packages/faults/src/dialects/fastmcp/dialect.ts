import type { Fault } from "../../fault/fault.ts";
import { createDecoder } from "../define.ts";
import type { DecodeContext, Decoder } from "../dialect.ts";
import { firstText, splitReply } from "../envelope.ts";
import { stripCodePrefix } from "../rpc.ts";
import { matchSentence } from "../sentence.ts";
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

/**
 * FastMCP and the Python SDK: the fixed sentences of their servers.
 *
 * It only reads. Reason, params and issues come from the sentence, which becomes the quote; received values in the
 * validator's text are removed.
 *
 * @example
 * import { fastmcp } from "@recourse/faults/dialects";
 *
 * fastmcp.decode({ isError: true, content: [{ type: "text", text: "Unknown tool: 'serch'" }] })?.reason;
 * // "tool/not_found"
 */
export const fastmcp: Decoder = {
  name: "fastmcp",
  decode: createDecoder(decodeFastmcp),
};
