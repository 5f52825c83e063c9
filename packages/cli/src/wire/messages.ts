import {
  CLIENT_CAPABILITIES_KEY,
  CLIENT_INFO_KEY,
  encodeHeaderValue,
  hasMessageHeaders,
  hasRequestMeta,
  isObject,
  type JsonObject,
  memberAt,
  VERSION_KEY,
} from "@recourse/core/wire";
import type { EraRevision } from "../recording/recording.ts";

/** The id of a JSON-RPC request. */
export type MessageId = string | number;

/** JSON-RPC messages in a JSON value: one, or a list of them. Empty if it is anything else. */
export function messagesIn(value: unknown): readonly JsonObject[] {
  const all = Array.isArray(value) ? value : [value];
  return all.length > 0 && all.every(isRpcMessage) ? (all as readonly JsonObject[]) : [];
}

function isRpcMessage(value: unknown): boolean {
  if (!isObject(value) || value["jsonrpc"] !== "2.0") return false;
  return typeof memberAt(value, "method") === "string" || isResponse(value);
}

/** Whether a message is a response: a result or an error, and not a request. */
export function isResponse(message: JsonObject): boolean {
  return !Object.hasOwn(message, "method") && (Object.hasOwn(message, "result") || Object.hasOwn(message, "error"));
}

/** Whether a response has this very id: `1` is not `"1"`. */
export function answersId(message: JsonObject, id: MessageId): boolean {
  return isResponse(message) && memberAt(message, "id") === id;
}

/** Whether a response is an error that names no request. Servers send it when they could not read an id. */
export function answersNobody(message: JsonObject): boolean {
  return isResponse(message) && isObject(message["error"]) && (memberAt(message, "id") ?? null) === null;
}

/** The answer to a request of the server. The probe has no roots and can do nothing else. */
export function replyToServer(message: JsonObject): JsonObject {
  const id = message["id"];
  if (message["method"] === "roots/list") return { jsonrpc: "2.0", id, result: { roots: [] } };
  if (message["method"] === "ping") return { jsonrpc: "2.0", id, result: {} };
  return { jsonrpc: "2.0", id, error: { code: -32601, message: "The probe does not offer this method." } };
}

/** Whether a message is a request of the server. */
export function isServerRequest(message: JsonObject): boolean {
  return typeof message["method"] === "string" && Object.hasOwn(message, "id");
}

/** How the probe names itself, so that operators see who it was. */
export const CLIENT_INFO = { name: "recourse-probe", version: "0.1.0" } as const;

/** The parameters with what every request of an era carries: since 2026-07-28 version and client are in each of them. */
export function withEnvelope(revision: EraRevision, params: unknown, version: string = revision): unknown {
  if (!hasRequestMeta(revision) || !isObject(params)) return params;
  const own = memberAt(params, "_meta");
  return {
    ...params,
    _meta: {
      [VERSION_KEY]: version,
      [CLIENT_INFO_KEY]: CLIENT_INFO,
      [CLIENT_CAPABILITIES_KEY]: {},
      ...(isObject(own) ? own : {}),
    },
  };
}

/** The member of the parameters that `Mcp-Name` repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** What the older era keeps between requests. */
export interface Session {
  readonly id?: string | undefined;
  readonly version?: string | undefined;
}

/** The headers that a message needs in an era. */
export function headersFor(
  revision: EraRevision,
  message: JsonObject | undefined,
  session: Session,
): Record<string, string> {
  const method = memberAt(message, "method");
  if (!hasMessageHeaders(revision)) {
    return {
      ...(session.id === undefined ? {} : { "mcp-session-id": session.id }),
      ...(session.version === undefined ? {} : { "mcp-protocol-version": session.version }),
    };
  }
  const params = memberAt(message, "params");
  const version = memberAt(memberAt(params, "_meta"), VERSION_KEY);
  const headers: Record<string, string> = {
    "mcp-protocol-version": typeof version === "string" ? version : revision,
  };
  if (typeof method !== "string") return headers;
  headers["mcp-method"] = method;
  const name = Object.hasOwn(NAMED_BY, method) ? memberAt(params, NAMED_BY[method] ?? "") : undefined;
  if (typeof name === "string") headers["mcp-name"] = encodeHeaderValue(name);
  return headers;
}
