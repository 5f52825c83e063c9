import { type Dialect, EDGE_METHOD } from "../../dialects/dialect.ts";
import type { RpcError } from "../../dialects/envelope.ts";
import type { ForeignText } from "../../reasons/thrown/to-fault.ts";
import { isObject, objectAt } from "../../wire/json.ts";
import type { DialectChoice, DialectRequest, GuardOptions } from "../options.ts";

/** The `error` member of a JSON-RPC answer. */
export type WireForm = Pick<RpcError, "code"> & Partial<RpcError>;

/** What a dialect wrote: a tool result, a JSON-RPC error, or something else. */
export interface Wire {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: WireForm;
}

export const EDGE_REQUEST: DialectRequest = { method: EDGE_METHOD, meta: {} };

/** The dialect that is chosen for a request; undefined if none is, and if the choice fails. */
export function chosenDialect(
  choice: DialectChoice | undefined,
  request: DialectRequest,
): Dialect<unknown> | undefined {
  try {
    return typeof choice === "function" ? choice(request) : choice;
  } catch {
    return undefined;
  }
}

/** What callers read of text that others wrote: as the option says, or else as the dialect of the request does. */
export function foreignTextFor(
  { foreignText, dialect }: Pick<GuardOptions, "foreignText" | "dialect">,
  request: DialectRequest,
): ForeignText | undefined {
  return foreignText ?? chosenDialect(dialect, request)?.foreignText;
}

export function withDialectText<T extends Pick<GuardOptions, "foreignText" | "dialect">>(options: T): T {
  const { foreignText, dialect } = options;
  const stated = typeof dialect === "function" ? undefined : dialect?.foreignText;
  return foreignText !== undefined || stated === undefined ? options : { ...options, foreignText: stated };
}

/** A result with the envelope of a success, if the dialect of the request has one. A failed result has its own. */
export function withDialectEnvelope(
  result: unknown,
  choice: DialectChoice | undefined,
  request: DialectRequest,
): unknown {
  const { envelope } = chosenDialect(choice, request) ?? {};
  if (envelope === undefined || !isObject(result) || result["isError"] === true) return result;
  return { ...result, _meta: { ...objectAt(result, "_meta"), ...envelope.success } };
}
