import type { Fault } from "../../fault/fault.ts";
import { failed as tool_failed } from "../../reasons/library/tool.ts";
import type { DecodeContext } from "../dialect.ts";
import { firstText, splitReply, toPlainData, tryRead } from "../envelope.ts";
import { REASON_BY_CODE, readRpcError, stripCodePrefix } from "../rpc.ts";
import { LOOK_BEFORE_REPEATING, peerQuote } from "../sentence.ts";
import { matchSentence } from "../sentence-patterns.ts";
import { readLocalError } from "./local-errors.ts";
import { SDK_GUESSED_PATTERNS, SDK_PATTERNS } from "./patterns.ts";
import { readProtocolError, readSdkSentence } from "./protocol-errors.ts";

/** Reads an error of the SDK that a program caught, or a reply that one of its servers wrote. */
export function decodeSdk(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  return tryRead(() => readSdk(wire, context));
}

function readSdk(wire: unknown, context: DecodeContext): Fault | undefined {
  const { result, error } = splitReply(toPlainData(wire));
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
  if (REASON_BY_CODE[code] !== undefined) return readRpcError({ code, message: text, data: undefined }, thrown);
  const options = { ...context, basis: "mapped", recourse: LOOK_BEFORE_REPEATING, ...peerQuote(text) } as const;
  return tool_failed.fault({}, options);
}
