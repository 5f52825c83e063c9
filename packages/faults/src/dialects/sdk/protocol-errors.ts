import { peekInteger, peekString } from "../../errors/peek.ts";
import type { Fault } from "../../fault/fault.ts";
import { FAULT_KEY } from "../../json/names.ts";
import { memberAt } from "../../json/read.ts";
import { hasTimeoutLimit, isSdkError } from "../../sdk/errors.ts";
import type { DecodeContext } from "../dialect.ts";
import type { RpcError } from "../envelope.ts";
import { readPeerFault } from "../peer-fault.ts";
import { readRpcError, stripCodePrefix } from "../rpc.ts";
import { matchSentence } from "../sentence-patterns.ts";
import { SDK_PATTERNS } from "./patterns.ts";

/** Reads a JSON-RPC error that came through the SDK: the fault in it, a fixed sentence, or the meaning of its code. */
export function readProtocolError(error: RpcError, context: DecodeContext): Fault {
  return (
    readSdkSentence(error, context) ?? readRpcError({ ...error, message: withoutCodePrefix(error.message) }, context)
  );
}

/** Reads the fault in a JSON-RPC error, or a sentence that only the SDK writes; undefined for any other error. */
export function readSdkSentence(error: RpcError, context: DecodeContext): Fault | undefined {
  const embedded = readPeerFault(memberAt(error.data, FAULT_KEY), context);
  if (embedded !== undefined) return embedded;
  const text = withoutCodePrefix(error.message);
  return text === undefined ? undefined : matchSentence(SDK_PATTERNS, { text, code: error.code }, context);
}

function withoutCodePrefix(message: string | undefined): string | undefined {
  return message === undefined ? undefined : stripCodePrefix(message).text;
}

/** Checks whether the SDK itself wrote the message of an error, so that it contains no text of a handler. */
export function isSdkSentence(error: unknown): boolean {
  const code = peekInteger(error, "code");
  const { text } = stripCodePrefix(peekString(error, "message") ?? "");
  return SDK_PATTERNS.some(
    ({ pattern, codes }) => pattern.test(text) && (codes === undefined || codes.includes(code ?? 0)),
  );
}

/** Checks whether the server sent an error. The SDK's client creates errors of the same class itself. */
export function isServerError(error: unknown): boolean {
  const code = peekInteger(error, "code");
  const isOld = isSdkError(error, "McpError");
  if (code === undefined || !(isOld || isSdkError(error, "ProtocolError"))) return false;
  // Version 1 gives its own timeouts, aborts and closed connections codes that servers use too.
  const { text } = stripCodePrefix(peekString(error, "message") ?? "");
  const isLocal =
    code === -32001 ? hasTimeoutLimit(error) || text.includes("AbortError") : text === "Connection closed";
  return !(isOld && isLocal);
}
