// How the peer says no, in the dialect that it was told to speak.
import { erlmcp } from "../../../dialects/erlmcp/erlmcp.ts";
import { mcp } from "../../../dialects/mcp/mcp.ts";
import { REVISIONS } from "../../../dialects/mcp/revision.ts";
import { type Json, stringAt } from "../../../dialects/wire.ts";
import type { Fault } from "../../../fault/fault.ts";
import { type Ask, errorReply, resultReply } from "../message.ts";

/** The wires that the peer can write its refusals in. */
export type PeerDialect = "mcp" | "erlmcp";

/** A reply as the transport sends it. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly message: Json | undefined;
}

/** Statuses of refusals that stand outside the methods, as servers of the official SDK send them. */
const STATUS: Readonly<Record<string, number>> = {
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

/** Writes a fault as the reply to what was asked; what could not be read has no id to answer to. */
export function refuse(
  fault: Fault,
  facts: { readonly dialect: PeerDialect; readonly ask?: Ask | undefined; readonly revision?: string },
): Reply {
  const { dialect, ask, revision } = facts;
  // What is refused before its method is looked at is no result of a tool.
  const method = ask === undefined || Object.hasOwn(STATUS, fault.reason) ? "unread" : ask.method;
  const tool = method === "tools/call" ? stringAt(ask?.params, "name") : undefined;
  switch (dialect) {
    case "erlmcp":
      return { status: 200, headers: {}, message: erlmcpReply(fault, ask, { method, tool }) };
    case "mcp": {
      const spoken = REVISIONS.find((one) => one === revision) ?? "2025-11-25";
      const wire = mcp.encode(fault, { method, tool, revision: spoken, outputSchema: false });
      const own = "status" in wire ? wire.status : undefined;
      const status = own ?? STATUS[fault.reason] ?? 200;
      const headers: Record<string, string> = status === 401 ? { "www-authenticate": CHALLENGE } : {};
      const message = "result" in wire ? resultReply(ask?.id, wire.result) : errorReply(ask?.id, wire.error);
      return { status, headers, message };
    }
    default:
      return dialect satisfies never;
  }
}

function erlmcpReply(
  fault: Fault,
  ask: Ask | undefined,
  context: { readonly method: string; readonly tool: string | undefined },
): Json {
  // The older experiment has a code of its own for what is not there, which encoding never chooses.
  if (context.method === "experimental/tasks/get" && fault.reason === "task/not_found")
    return { ...erlmcp.createErrorResponse(ask?.id, 1095, "Task Not Found (Positive)", fault.params) };
  return errorReply(ask?.id, erlmcp.encode(fault, context).error);
}
