// JSON-RPC messages as plain JSON. No rule of the protocol is enforced here, because the peer has to be able to break it.
import { content, protocol } from "@recourse/core/reasons";
import { isObject, type JsonObject, memberAt, objectAt, stringAt } from "@recourse/core/wire";

export type RequestId = string | number;

/** A JSON-RPC request that reached the peer. Without an id it is a notification. */
export interface PeerRequest {
  /** The JSON-RPC id; undefined for a notification. */
  readonly id: RequestId | undefined;
  /** The method, such as `tools/call`. */
  readonly method: string;
  /** The parameters; empty when the message has none. */
  readonly params: JsonObject;
  /** `params._meta`; empty when the message has none. */
  readonly meta: JsonObject;
}

/** Parses the bytes of one message; throws a fault when they are not UTF-8 or not JSON. */
export function parseBytes(bytes: Uint8Array): unknown {
  const position = firstInvalidByte(bytes);
  if (position !== undefined) throw content.invalid_encoding({ encoding: "utf-8", position });
  try {
    return JSON.parse(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  } catch {
    throw protocol.parse_error();
  }
}

/** The position of the first byte that is not UTF-8. */
function firstInvalidByte(bytes: Uint8Array): number | undefined {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  // Decoding writes U+FFFD where it fails, so the bytes differ there when the text is encoded again.
  if (!text.includes("\u{FFFD}")) return undefined;
  const encoded = Buffer.from(text, "utf8");
  const at = bytes.findIndex((byte, index) => byte !== encoded[index]);
  return at === -1 ? undefined : at;
}

/** Reads a parsed body as a request; throws a fault when it is not one. The peer asks nothing, so it gets no answers. */
export function parseClientMessage(body: unknown): PeerRequest {
  if (!isObject(body)) throw malformedMessage("Not a JSON-RPC message: an object is required");
  if (body["jsonrpc"] !== "2.0") throw malformedMessage("Missing required field: jsonrpc");
  const id = readPeerRequestId(body);
  const method = stringAt(body, "method");
  if (method === undefined) throw malformedMessage("Missing required field: method");
  if ("id" in body && id === undefined) throw malformedMessage("Invalid field: id");
  const params = objectAt(body, "params") ?? {};
  return { id, method, params, meta: objectAt(params, "_meta") ?? {} };
}

/** The id of a message; undefined when it has none or the id is not legal. */
export function readPeerRequestId(message: unknown): RequestId | undefined {
  const id = memberAt(message, "id");
  return typeof id === "string" || Number.isSafeInteger(id) ? (id as RequestId) : undefined;
}

function malformedMessage(text: string): Error {
  return protocol.invalid_request({}, { quote: { text, from: "peer" } });
}

export function resultResponse(id: RequestId | undefined, result: JsonObject): JsonObject {
  return { jsonrpc: "2.0", id, result };
}

/** A JSON-RPC response with an error. An unknown id is left out. */
export function errorResponse(id: RequestId | undefined, error: JsonObject): JsonObject {
  return { jsonrpc: "2.0", ...(id !== undefined && { id }), error };
}

export function toTextResult(text: string): JsonObject {
  return { content: [{ type: "text", text }] };
}
