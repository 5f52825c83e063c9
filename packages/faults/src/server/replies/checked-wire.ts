import { type RpcError, rpcErrorOf } from "../../dialects/envelope.ts";
import { isObject, memberAt } from "../../json/read.ts";

/** The `error` member of a JSON-RPC answer. */
export type WireForm = Pick<RpcError, "code"> & Partial<RpcError>;

/** What a dialect wrote: a tool result, a JSON-RPC error, or something else. */
export interface Wire {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: WireForm;
}

/**
 * What a dialect wrote, as JSON; undefined where it is neither a JSON-RPC error nor the result of a failed tool. Whatever else
 * was sent would be lost in the transport, and the caller would wait for its whole timeout. It throws where JSON cannot
 * encode it.
 */
export function checkedWire(written: unknown): Wire | undefined {
  const wire: unknown = JSON.parse(JSON.stringify(written) ?? "null");
  const error = memberAt(wire, "error");
  if (error !== undefined) return rpcErrorOf(error)?.message === undefined ? undefined : (wire as Wire);
  const result = memberAt(wire, "result");
  const isFailed = isObject(result) && result["isError"] === true && Array.isArray(result["content"]);
  return isFailed ? (wire as Wire) : undefined;
}
