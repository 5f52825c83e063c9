import { http } from "../../dialects/http/http.ts";
import { mcp } from "../../dialects/mcp/mcp.ts";
import type { Revision } from "../../dialects/mcp/revision.ts";
import type { Fault } from "../../fault/fault.ts";
import { KINDS, knownKind } from "../../fault/kinds.ts";
import { prefersProblem } from "./accept.ts";
import { type Exchange, idOf } from "./exchange.ts";

/** Statuses that say more than the kind does; some are fixed by HTTP, some by the protocol. */
const STATUS: Readonly<Record<string, number>> = {
  "protocol/http_method": 405,
  "content/invalid_type": 415,
  "content/message_too_large": 413,
  "protocol/method_not_found": 404,
  "protocol/session_not_found": 404,
  "protocol/invalid_params": 400,
  "protocol/missing_client_capability": 400,
  "protocol/version_unsupported": 400,
};

/** Headers that only a problem document has, or that are written elsewhere. */
const OWN = new Set(["content-type", "www-authenticate"]);

/** The status that a fault has at the edge. */
export function statusOf(fault: Fault): number {
  return STATUS[fault.reason] ?? KINDS[knownKind(fault)].status;
}

/** An answer before it becomes a response. */
export interface Answer {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON-RPC code, where the answer is such an error. */
  readonly code?: number;
}

/** Writes a fault in the form that the client accepts. */
export function answerFor(fault: Fault, status: number, exchange: Exchange, revision: Revision): Answer {
  const problem = http.encode(fault, { docsBase: exchange.options.docsBase });
  const facts = Object.fromEntries(Object.entries(problem.headers).filter(([name]) => !OWN.has(name)));
  if (prefersProblem(exchange.request.headers.get("accept"))) {
    const headers = { ...facts, "content-type": "application/problem+json" };
    return { body: JSON.stringify({ ...problem.body, status }), headers };
  }
  // No tool has run at the edge, so an answer is an error of the protocol, never the result of a tool.
  const wire = mcp.encode(fault, { method: "edge", revision });
  const error = "error" in wire ? wire.error : { code: -32603, message: fault.message };
  const id = idOf(exchange);
  const body = JSON.stringify({ jsonrpc: "2.0", ...(id !== undefined && { id }), error });
  return { body, headers: { ...facts, "content-type": "application/json" }, code: error.code };
}
