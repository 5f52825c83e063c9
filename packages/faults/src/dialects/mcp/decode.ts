import type { Fault } from "../../fault/fault.ts";
import { readFault } from "../../fault/read.ts";
import { execution_failed } from "../../reasons/library/tool.ts";
import type { DecodeContext } from "../dialect.ts";
import { quoteOf } from "../prose.ts";
import { FAULT_KEY, readRpcError } from "../rpc.ts";
import { firstText, type Json, memberAt, objectAt, open } from "../wire.ts";

/** Reads a tool result or a JSON-RPC error of any revision. */
export function decode(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { result, error } = open(wire);
  // A failed result may hold an error object of its own, which is not JSON-RPC's.
  if (result?.["isError"] === true) return stated(result, context) ?? said(result, context);
  return error === undefined ? undefined : readRpcError(error, context);
}

/** The fault that travels whole, in a result or an error. */
export function decodeWhole(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { result, error } = open(wire);
  if (result?.["isError"] === true) return stated(result, context);
  return readFault(memberAt(error?.data, FAULT_KEY), context);
}

function stated(result: Json, context: DecodeContext): Fault | undefined {
  return (
    readFault(memberAt(result["_meta"], FAULT_KEY), context) ??
    readFault(objectAt(result["structuredContent"], "fault"), context)
  );
}

/** A tool that failed with a sentence of its own: the sentence is the advice, and nothing may be simply repeated. */
function said(result: Json, context: DecodeContext): Fault {
  const recourse = [{ do: "refresh" }, { do: "stop" }] as const;
  return execution_failed.fault({}, { ...context, recourse, ...quoteOf(firstText(result)), basis: "mapped" });
}
