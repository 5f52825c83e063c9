import { createDecoder } from "../decoder.ts";
import type { Decoder } from "../dialect.ts";
import { decodeFastmcp } from "./decode.ts";

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
