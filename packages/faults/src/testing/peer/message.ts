// JSON-RPC messages as they come and go, on plain JSON: no rule is kept here that a peer may want to break.
import { isJson, type Json, memberAt, objectAt, stringAt } from "../../dialects/wire.ts";
import { invalid_request } from "../../reasons/library/protocol.ts";

/** The id of a request. */
export type Id = string | number;

/** A request, or a notification when it has no id. */
export interface Ask {
  readonly id: Id | undefined;
  readonly method: string;
  readonly params: Json;
  readonly meta: Json;
}

/** What a client may send: something to do, or the answer to something that the peer asked. */
export type Incoming =
  | { readonly is: "ask"; readonly ask: Ask }
  | { readonly is: "answer"; readonly id: Id; readonly message: Json };

/** Sorts a parsed body; throws a fault for what is no message at all. */
export function readMessage(body: unknown): Incoming {
  if (!isJson(body)) throw malformed("Not a JSON-RPC message: an object is required");
  if (body["jsonrpc"] !== "2.0") throw malformed("Missing required field: jsonrpc");
  const id = idOf(body);
  const method = stringAt(body, "method");
  if (method === undefined && id !== undefined && ("result" in body || "error" in body))
    return { is: "answer", id, message: body };
  if (method === undefined) throw malformed("Missing required field: method");
  if ("id" in body && id === undefined) throw malformed("Invalid field: id");
  const params = objectAt(body, "params") ?? {};
  return { is: "ask", ask: { id, method, params, meta: objectAt(params, "_meta") ?? {} } };
}

/** The id of a message, as far as it has a legal one. */
export function idOf(message: unknown): Id | undefined {
  const id = memberAt(message, "id");
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as Id) : undefined;
}

function malformed(text: string): Error {
  return invalid_request({}, { quote: { text, from: "peer" } });
}

/** A whole reply with a result. */
export function resultReply(id: Id | undefined, result: Json): Json {
  return { jsonrpc: "2.0", id, result };
}

/** A whole reply with an error; an id that is not known is left out. */
export function errorReply(id: Id | undefined, error: Json): Json {
  return { jsonrpc: "2.0", ...(id !== undefined && { id }), error };
}

/** A tool result with one text. */
export function textResult(text: string): Json {
  return { content: [{ type: "text", text }] };
}
