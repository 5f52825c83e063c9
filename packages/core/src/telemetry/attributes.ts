import type { Fault } from "../fault/fault.ts";
import { knownKind } from "../fault/kinds.ts";

/** The operation that failed. */
export interface FailedOperation {
  /** Which side records the failure. @default "server" */
  readonly side?: "server" | "client" | undefined;
  /** The JSON-RPC method, such as `tools/call`. @default no attribute */
  readonly method?: string | undefined;
  /** The name of the tool. @default no attribute */
  readonly tool?: string | undefined;
  /** The code in the answer. It is an attribute if the answer was a JSON-RPC error. @default the answer had no code */
  readonly code?: number | undefined;
  /** Whether the answer was a tool result with `isError`. @default false */
  readonly isError?: boolean | undefined;
}

/** Attributes of a span, an event or a metric. */
export type Attributes = Readonly<Record<string, string>>;

/** Longer values are cut, since callers choose some of the names. */
const MAX_ATTRIBUTE_LENGTH = 128;

/**
 * The attributes of a failed operation for spans and events: those of the OpenTelemetry conventions for MCP, and `fault.*`.
 * For metrics use `metricAttributes`, since an id would make every failure a time series of its own.
 *
 * @example
 * span.setAttributes(faultAttributes(fault, { method: "tools/call", tool: "search" }));
 */
export function faultAttributes(fault: Fault, operation: FailedOperation = {}): Attributes {
  const { method, tool, code, isError } = operation;
  return withoutUndefined({
    "error.type": errorType(fault, operation),
    "mcp.method.name": method,
    "gen_ai.tool.name": tool,
    "gen_ai.operation.name": method === "tools/call" ? "execute_tool" : undefined,
    "rpc.response.status_code": code === undefined || isError === true ? undefined : String(code),
    "fault.kind": fault.kind,
    "fault.class": fault.class,
    "fault.reason": fault.reason,
    "fault.effect": fault.effect,
    "fault.origin": fault.origin.layer,
    "fault.incident": fault.incident,
    "fault.request_id": fault.requestId,
  });
}

/** Reasons of requests whose tool or prompt does not exist or was not looked up, so its name can be anything. */
const UNKNOWN_NAME = new Set([
  "tool/not_found",
  "tool/unreachable",
  "prompt/not_found",
  "protocol/invalid_params",
  "protocol/invalid_request",
  "protocol/malformed_call",
]);
const UNKNOWN_METHOD = new Set(["protocol/method_not_found"]);

/**
 * The attributes of a failed operation for metrics. Each has few values, no matter what callers and servers send: names
 * that are not registered are left out, and on a client also the reasons, which its servers choose.
 *
 * @example
 * failures.add(1, metricAttributes(fault, { method: "tools/call", tool: "search" }));
 */
export function metricAttributes(fault: Fault, operation: FailedOperation = {}): Attributes {
  const {
    "fault.incident": _incident,
    "fault.request_id": _request,
    ...all
  } = faultAttributes(fault, operation) as Record<string, string | undefined>;
  const isClient = operation.side === "client";
  return withoutUndefined({
    ...all,
    "fault.kind": knownKind(fault),
    "error.type": errorType({ kind: knownKind(fault) }, operation),
    "fault.reason": isClient ? undefined : all["fault.reason"],
    "gen_ai.tool.name": isUnknownName(fault) ? undefined : all["gen_ai.tool.name"],
    "mcp.method.name": UNKNOWN_METHOD.has(fault.reason) ? undefined : all["mcp.method.name"],
  });
}

export function isUnknownName({ reason }: Fault): boolean {
  return UNKNOWN_NAME.has(reason);
}

/** `tool_error` for a tool result, else the code of the JSON-RPC error, else the kind. */
function errorType({ kind }: Pick<Fault, "kind">, { isError, code }: FailedOperation): string {
  if (isError === true) return "tool_error";
  return code === undefined ? kind : String(code);
}

function withoutUndefined(members: Readonly<Record<string, string | undefined>>): Attributes {
  const entries = Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, value.slice(0, MAX_ATTRIBUTE_LENGTH).toWellFormed()]));
}
