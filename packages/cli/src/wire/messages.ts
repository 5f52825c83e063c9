import { isObject, type JsonObject, memberAt } from "@recourse/faults/internal-do-not-use";

/** The id of a JSON-RPC request. */
export type MessageId = string | number;

/** JSON-RPC messages in a JSON value: one, or a list of them. Empty if it is anything else. */
export function messagesIn(value: unknown): readonly JsonObject[] {
  const all = Array.isArray(value) ? value : [value];
  return all.length > 0 && all.every(isMessage) ? (all as readonly JsonObject[]) : [];
}

function isMessage(value: unknown): boolean {
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
