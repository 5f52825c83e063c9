import { arrayAt, FAULT_KEY, type JsonObject, memberAt, objectAt, stringAt } from "@recourse/wire";
import type { Fault } from "../../fault/fault.ts";
import { failed as tool_failed } from "../../reasons/library/tool.ts";
import type { DecodeContext } from "../dialect.ts";
import { firstText, type ReplyParts, splitReply } from "../envelope.ts";
import { readPeerFault } from "../peer-fault.ts";
import { MCP_REASON_BY_CODE, readRpcError } from "../rpc.ts";
import { calledTool, LOOK_BEFORE_REPEATING, peerQuote } from "../sentence.ts";

/** Reads a tool result or a JSON-RPC error of any revision. */
export function decodeMcp(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { result, error } = splitReply(wire);
  // A failed result may have an error object of its own, which is not the JSON-RPC error.
  if (result?.["isError"] === true) return faultInResult(result, context) ?? faultFromText(result, context);
  return error === undefined ? undefined : readRpcError(error, context);
}

/** Reads only a fault that was sent as JSON, in a result or in an error. */
export function decodeEmbeddedFault(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { result, error } = splitReply(wire);
  if (result?.["isError"] === true) return faultInResult(result, context);
  return readPeerFault(memberAt(error?.data, FAULT_KEY), context);
}

/** Recognises a code of MCP. A code that other systems use too needs the data that MCP requires beside it. */
export function isMcpError({ result, error }: ReplyParts, context: DecodeContext): boolean {
  if (error === undefined || result?.["isError"] === true || MCP_REASON_BY_CODE[error.code] === undefined) return false;
  const hasData = REQUIRED_DATA[error.code];
  return hasData === undefined || hasData(error.data, context);
}

/** The data that tells a code of MCP from the same code of another system. */
const REQUIRED_DATA: Readonly<Record<number, (data: unknown, context: DecodeContext) => boolean>> = {
  [-32002]: (data, { method }) => stringAt(data, "uri") !== undefined || method === "resources/read",
  [-32021]: (data) => objectAt(data, "requiredCapabilities") !== undefined,
  [-32022]: (data) => arrayAt(data, "supported").length > 0,
  [-32042]: (data) => arrayAt(data, "elicitations").length > 0,
};

function faultInResult(result: JsonObject, context: DecodeContext): Fault | undefined {
  return (
    readPeerFault(memberAt(result["_meta"], FAULT_KEY), context) ??
    readPeerFault(objectAt(result["structuredContent"], "fault"), context)
  );
}

/** A failed tool that explains itself with a text only. */
function faultFromText(result: JsonObject, context: DecodeContext): Fault {
  return tool_failed.fault(calledTool(context), {
    ...context,
    recourse: LOOK_BEFORE_REPEATING,
    ...peerQuote(firstText(result)),
    basis: "mapped",
  });
}
