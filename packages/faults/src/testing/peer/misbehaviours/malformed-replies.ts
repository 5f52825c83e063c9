// Replies that are malformed on every transport. Each is made from the correct reply.
import { isObject, type JsonObject, objectAt } from "../../../json/read.ts";

/** A reply that is sent instead of the correct one. */
export interface MalformedReply {
  readonly description: string;
  /** The bytes to send, made from the correct reply. */
  readonly from: (reply: JsonObject) => string | Uint8Array;
}

/** An id that no client uses. */
export const UNKNOWN_ID = 987_654_321;

const HUGE_BYTES = 8_388_608;
const HTML_PAGE = "<!doctype html><html><body><h1>It works!</h1></body></html>";

const withReply = (description: string, change: (reply: JsonObject) => unknown): MalformedReply => ({
  description,
  from: (reply) => JSON.stringify(change(reply)),
});

/** The reply with a changed result. A reply with an error is not changed. */
const withResult = (description: string, change: (result: JsonObject) => unknown): MalformedReply =>
  withReply(description, (reply) =>
    isObject(reply["result"]) ? { ...reply, result: change(reply["result"]) } : reply,
  );

const without = (from: JsonObject, key: string): JsonObject =>
  Object.fromEntries(Object.entries(from).filter(([name]) => name !== key));

export const MALFORMED_REPLIES = {
  "not-json": { description: "Answers with a sentence.", from: () => "Sorry, something went wrong here." },
  "truncated-json": {
    description: "Answers with the first half of the JSON.",
    from: (reply) => JSON.stringify(reply).slice(0, JSON.stringify(reply).length / 2),
  },
  "empty-body": { description: "Answers with an empty body.", from: () => "" },
  "html-200": { description: "Answers with an HTML page.", from: () => HTML_PAGE },
  "invalid-utf8": {
    description: "Answers with bytes that are not UTF-8.",
    from: (reply) => Buffer.concat([Buffer.from(JSON.stringify(reply).slice(0, -1)), Buffer.from([0xff, 0xfe, 0x7d])]),
  },
  bom: { description: "Puts a byte order mark before the JSON.", from: (reply) => `\u{FEFF}${JSON.stringify(reply)}` },
  "huge-body": withResult("Answers with eight mebibytes.", (result) => ({
    ...result,
    content: [{ type: "text", text: "x".repeat(HUGE_BYTES) }],
  })),
  "deep-json": {
    description: "Answers with twenty thousand nested arrays.",
    from: (reply) =>
      JSON.stringify({ ...reply, result: 0 }).replace(
        '"result":0',
        `"result":${"[".repeat(20_000)}${"]".repeat(20_000)}`,
      ),
  },
  "wrong-id": withReply("Answers with the id of an unknown request.", (reply) => ({ ...reply, id: UNKNOWN_ID })),
  "string-id": withReply("Answers with the id as a string.", (reply) => ({ ...reply, id: `${reply["id"]}` })),
  "id-null": withReply("Answers with a null id.", (reply) => ({ ...reply, id: null })),
  "no-id": withReply("Answers without an id.", (reply) => without(reply, "id")),
  "wrong-jsonrpc": withReply("Answers as JSON-RPC 1.0.", (reply) => ({ ...reply, jsonrpc: "1.0" })),
  "no-jsonrpc": withReply("Answers without the member jsonrpc.", (reply) => without(reply, "jsonrpc")),
  batch: withReply("Answers one request with a batch.", (reply) => [reply]),
  "result-and-error": withReply("Answers with a result and an error.", (reply) => ({
    ...reply,
    result: objectAt(reply, "result") ?? {},
    error: { code: -32603, message: "Internal error" },
  })),
  "no-result": withReply("Answers with neither a result nor an error.", (reply) => without(reply, "result")),
  "result-null": withReply("Answers with null as the result.", (reply) => ({ ...reply, result: null })),
  "error-text": withReply("Answers with a sentence as the error.", ({ jsonrpc, id }) => ({
    jsonrpc,
    id,
    error: "failed",
  })),
  "error-extra": withReply("Answers with a member beside the error that no schema allows.", ({ jsonrpc, id }) => ({
    jsonrpc,
    id,
    error: { code: -32603, message: "Internal error" },
    _meta: {},
  })),
  "error-float": withReply("Answers with an error code that is not an integer.", ({ jsonrpc, id }) => ({
    jsonrpc,
    id,
    error: { code: -32603.5, message: "Internal error" },
  })),
  "unknown-block": withResult("Answers with a type of content that no revision has.", (result) => ({
    ...result,
    content: [{ type: "hologram", beams: 3 }],
  })),
  "content-text": withResult("Answers with a sentence where a list of content belongs.", (result) => ({
    ...result,
    content: "done",
  })),
  "no-result-type": withResult("Leaves out the resultType that revision 2026-07-28 requires.", (result) =>
    without(result, "resultType"),
  ),
  "odd-result-type": withResult("Names a resultType that no revision has.", (result) => ({
    ...result,
    resultType: "perhaps",
  })),
  "endless-pages": withResult("Announces another page, every time.", (result) => ({
    ...result,
    nextCursor: "again",
  })),
  "false-green": withResult("Reports a failure inside a result that claims success.", (result) => ({
    ...result,
    content: [{ type: "text", text: '{"success":false,"error":"quota exceeded"}' }],
  })),
} as const satisfies Record<string, MalformedReply>;
