import type { Fault } from "../../fault/fault.ts";
import { failed as tool_failed } from "../../reasons/library/tool.ts";
import { createDecoder } from "../define.ts";
import type { DecodeContext, Decoder } from "../dialect.ts";
import { firstText, plainCopy, readSafely, splitReply } from "../envelope.ts";
import { MCP_REASON_BY_CODE, readRpcError, stripCodePrefix } from "../rpc.ts";
import { LOOK_BEFORE_REPEATING, matchSentence, peerQuote } from "../sentence.ts";
import { readLocalError, readProtocolError, readSdkSentence } from "./errors.ts";
import { SDK_GUESSED_PATTERNS, SDK_PATTERNS } from "./patterns.ts";

/** Reads an error of the SDK that a program caught, or a reply that one of its servers wrote. */
export function decodeSdk(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  return readSafely(() => readSdk(wire, context));
}

function readSdk(wire: unknown, context: DecodeContext): Fault | undefined {
  const { result, error } = splitReply(plainCopy(wire));
  if (result?.["isError"] === true) return readSdkText(firstText(result) ?? "", context);
  const local = readLocalError(wire, context);
  if (local !== undefined || error === undefined) return local;
  const hasPrefix = stripCodePrefix(error.message ?? "").code !== undefined;
  return hasPrefix ? readProtocolError(error, context) : readSdkSentence(error, context);
}

/** Reads the text of a failed tool. Version 1 writes the code of a thrown error in front of it. */
function readSdkText(message: string, context: DecodeContext): Fault | undefined {
  const { text, code } = stripCodePrefix(message);
  const fault = matchSentence(SDK_PATTERNS, { text, code }, context);
  if (fault !== undefined) return fault;
  if (code === undefined) return matchSentence(SDK_GUESSED_PATTERNS, { text, code }, context);
  // The tool's handler threw the code, and what it had done before is unknown.
  const thrown = { ...context, effect: "possible" } as const;
  if (MCP_REASON_BY_CODE[code] !== undefined) return readRpcError({ code, message: text, data: undefined }, thrown);
  const options = { ...context, basis: "mapped", recourse: LOOK_BEFORE_REPEATING, ...peerQuote(text) } as const;
  return tool_failed.fault({}, options);
}

/**
 * The official TypeScript SDK, versions 1 and 2: errors that your program catches, and the sentences of its servers.
 *
 * It only reads. Reason, params, issues, effect and origin come from the class, code or sentence of the error; a text
 * that the server wrote becomes a quote; stack and cause are not taken over.
 *
 * @example
 * import { sdk } from "@recourse/faults/dialects";
 *
 * try {
 *   await client.callTool({ name: "search", arguments: { query } });
 * } catch (error) {
 *   const fault = sdk.decode(error);
 *   console.error(fault?.kind, fault?.effect); // "timeout" "possible"
 * }
 */
export const sdk: Decoder = { name: "sdk", decode: createDecoder(decodeSdk) };
