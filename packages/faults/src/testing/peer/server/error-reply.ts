// The server's error replies, in the dialect of the peer.
import { erlmcp } from "../../../dialects/erlmcp/dialect.ts";
import { mcp } from "../../../dialects/mcp/dialect.ts";
import { REVISIONS } from "../../../dialects/mcp/table.ts";
import type { Fault } from "../../../fault/fault.ts";
import { type JsonObject, stringAt } from "../../../json/read.ts";
import { errorResponse, type PeerRequest, resultResponse } from "../json-rpc.ts";

/** The dialects in which a peer can write its error replies. */
export type PeerDialect = "mcp" | "erlmcp";

/** A reply as the transport sends it. */
export interface ServerReply {
  /** HTTP status. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: JsonObject | undefined;
}

/** HTTP statuses of errors outside the methods, as servers of the official SDK send them. */
const STATUS_BY_REASON: Readonly<Record<string, number>> = {
  "protocol/parse_error": 400,
  "protocol/invalid_request": 400,
  "protocol/not_initialized": 400,
  "protocol/session_not_found": 404,
  "protocol/version_mismatch": 400,
  "protocol/version_unsupported": 400,
  "content/invalid_encoding": 400,
  "content/message_too_large": 413,
  "content/invalid_type": 415,
  "progress/invalid_token": 400,
  "progress/token_expired": 400,
  "auth/failed": 401,
  "auth/invalid_credentials": 401,
  "auth/token_expired": 401,
  "auth/access_denied": 403,
};

const CHALLENGE = 'Bearer error="invalid_token"';

/** What a fault replies to. Without a request the reply has no id. */
export interface ErrorReplyContext {
  readonly dialect: PeerDialect;
  readonly request?: PeerRequest | undefined;
  readonly revision?: string;
}

/** Writes a fault as a reply. */
export function errorReply(fault: Fault, { dialect, request, revision }: ErrorReplyContext): ServerReply {
  // An error before the method was looked at is never the result of a tool.
  const isBeforeMethod = request === undefined || Object.hasOwn(STATUS_BY_REASON, fault.reason);
  const method = isBeforeMethod ? "unread" : request.method;
  const tool = method === "tools/call" ? stringAt(request?.params, "name") : undefined;
  switch (dialect) {
    case "erlmcp":
      return { status: 200, headers: {}, message: erlmcpMessage(fault, request, { method, tool }) };
    case "mcp": {
      const written = REVISIONS.find((one) => one === revision) ?? "2025-11-25";
      const wire = mcp.encode(fault, { method, tool, revision: written, outputSchema: false });
      const fixed = "status" in wire ? wire.status : undefined;
      const status = fixed ?? STATUS_BY_REASON[fault.reason] ?? 200;
      const headers: Record<string, string> = status === 401 ? { "www-authenticate": CHALLENGE } : {};
      const message =
        "result" in wire ? resultResponse(request?.id, wire.result) : errorResponse(request?.id, wire.error);
      return { status, headers, message };
    }
    default:
      return dialect satisfies never;
  }
}

function erlmcpMessage(
  fault: Fault,
  request: PeerRequest | undefined,
  context: { readonly method: string; readonly tool: string | undefined },
): JsonObject {
  // The experimental method has its own code for a missing task, which `encode` never chooses.
  if (context.method === "experimental/tasks/get" && fault.reason === "task/not_found")
    return { ...erlmcp.createErrorResponse(request?.id, 1095, "Task not found (positive)", fault.params) };
  return errorResponse(request?.id, erlmcp.encode(fault, context).error);
}
