import type { Fault } from "../fault/fault.ts";
import { knownKind } from "../fault/kinds.ts";

/** What is known about the operation that failed, beyond the fault. */
export interface Operation {
  /** Which side observes it; the server's unless told. */
  readonly system?: "server" | "client" | undefined;
  /** JSON-RPC method, such as `tools/call`. */
  readonly method?: string | undefined;
  readonly tool?: string | undefined;
  /** JSON-RPC code of the error, where the answer was one. */
  readonly code?: number | undefined;
  /** The answer was the result of a tool that failed. */
  readonly isError?: boolean | undefined;
}

/** Attributes as OpenTelemetry takes them. */
export type Attributes = Readonly<Record<string, string>>;

/** Names are cut to this, since some of them are chosen by callers. */
const LONGEST = 128;

/**
 * The attributes of a failed operation for spans and events: those of the semantic conventions for MCP,
 * and ours under `fault.`. For metrics take `metricAttributes`: an incident id would make every failure a series of its own.
 */
export function faultAttributes(fault: Fault, operation: Operation = {}): Attributes {
  const { method, tool, code } = operation;
  return defined({
    "error.type": errorType(fault, operation),
    "mcp.method.name": method,
    "gen_ai.tool.name": tool,
    "gen_ai.operation.name": method === "tools/call" ? "execute_tool" : undefined,
    "rpc.response.status_code": code === undefined ? undefined : String(code),
    "fault.kind": fault.kind,
    "fault.class": fault.class,
    "fault.reason": fault.reason,
    "fault.effect": fault.effect,
    "fault.origin": fault.origin.layer,
    "fault.incident": fault.incident,
  });
}

/** Reasons whose tool or method is whatever a caller wrote. */
const UNKNOWN_TOOL = new Set(["tool/not_found", "tool/unreachable"]);
const UNKNOWN_METHOD = new Set(["protocol/method_not_found"]);

/**
 * The attributes of a failed operation for metrics: each has few values, whatever callers and peers send.
 * Names that nobody registered are left out, and on a client the reasons too, which its peers choose.
 */
export function metricAttributes(fault: Fault, operation: Operation = {}): Attributes {
  const { "fault.incident": _id, ...all } = faultAttributes(fault, operation) as Record<string, string | undefined>;
  const isClient = operation.system === "client";
  return defined({
    ...all,
    "fault.kind": knownKind(fault),
    "error.type": errorType({ kind: knownKind(fault) }, operation),
    "fault.reason": isClient ? undefined : all["fault.reason"],
    "gen_ai.tool.name": UNKNOWN_TOOL.has(fault.reason) ? undefined : all["gen_ai.tool.name"],
    "mcp.method.name": UNKNOWN_METHOD.has(fault.reason) ? undefined : all["mcp.method.name"],
  });
}

/** The code of the error as a string, `tool_error` for a failed result; the kind where no answer came at all. */
function errorType({ kind }: Pick<Fault, "kind">, { isError, code }: Operation): string {
  if (isError === true) return "tool_error";
  return code === undefined ? kind : String(code);
}

function defined(members: Readonly<Record<string, string | undefined>>): Attributes {
  const entries = Object.entries(members).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(entries.map(([key, value]) => [key, value.slice(0, LONGEST).toWellFormed()]));
}
