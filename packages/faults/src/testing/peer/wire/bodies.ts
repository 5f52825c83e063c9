// Answers that are wrong in themselves, whatever carries them: pure, from the honest reply to the bytes in its place.
import { isJson, type Json, objectAt } from "../../../dialects/wire.ts";

/** What is sent instead of the honest reply. */
export interface Body {
  readonly about: string;
  readonly of: (reply: Json) => string | Uint8Array;
}

const HUGE_BYTES = 8_388_608;
const HTML = "<!doctype html><html><body><h1>It works!</h1></body></html>";

const json = (about: string, of: (reply: Json) => unknown): Body => ({
  about,
  of: (reply) => JSON.stringify(of(reply)),
});

/** The reply with another result; an error stays as it is. */
const result = (about: string, of: (result: Json) => unknown): Body =>
  json(about, (reply) => (isJson(reply["result"]) ? { ...reply, result: of(reply["result"]) } : reply));

const without = (from: Json, key: string): Json =>
  Object.fromEntries(Object.entries(from).filter(([name]) => name !== key));

export const BODIES = {
  "not-json": { about: "Answers with a sentence.", of: () => "Sorry, something went wrong here." },
  "truncated-json": {
    about: "Answers with the first half of the JSON.",
    of: (reply) => JSON.stringify(reply).slice(0, JSON.stringify(reply).length / 2),
  },
  "empty-body": { about: "Answers with nothing.", of: () => "" },
  "html-200": { about: "Answers with a page of HTML.", of: () => HTML },
  "invalid-utf8": {
    about: "Answers with bytes that are no UTF-8.",
    of: (reply) => Buffer.concat([Buffer.from(JSON.stringify(reply).slice(0, -1)), Buffer.from([0xff, 0xfe, 0x7d])]),
  },
  bom: { about: "Puts a byte order mark before the JSON.", of: (reply) => `\u{FEFF}${JSON.stringify(reply)}` },
  "huge-body": result("Answers with eight mebibytes.", (honest) => ({
    ...honest,
    content: [{ type: "text", text: "x".repeat(HUGE_BYTES) }],
  })),
  "deep-json": {
    about: "Answers with twenty thousand arrays in each other.",
    of: (reply) =>
      JSON.stringify({ ...reply, result: 0 }).replace(
        '"result":0',
        `"result":${"[".repeat(20_000)}${"]".repeat(20_000)}`,
      ),
  },
  "wrong-id": json("Answers a request that nobody sent.", (reply) => ({ ...reply, id: 987_654_321 })),
  "string-id": json("Answers with the id as a string.", (reply) => ({ ...reply, id: `${reply["id"]}` })),
  "id-null": json("Answers with a null id.", (reply) => ({ ...reply, id: null })),
  "no-id": json("Answers without an id.", (reply) => without(reply, "id")),
  "wrong-jsonrpc": json("Answers as JSON-RPC 1.0.", (reply) => ({ ...reply, jsonrpc: "1.0" })),
  "no-jsonrpc": json("Answers without saying that it is JSON-RPC.", (reply) => without(reply, "jsonrpc")),
  batch: json("Answers one request with a batch.", (reply) => [reply]),
  "result-and-error": json("Answers with a result and an error.", (reply) => ({
    ...reply,
    result: objectAt(reply, "result") ?? {},
    error: { code: -32603, message: "Internal error" },
  })),
  "no-result": json("Answers with neither a result nor an error.", (reply) => without(reply, "result")),
  "result-null": json("Answers with null as the result.", (reply) => ({ ...reply, result: null })),
  "error-text": json("Answers with a sentence as the error.", ({ jsonrpc, id }) => ({ jsonrpc, id, error: "failed" })),
  "error-extra": json("Answers with a member beside the error that no schema has.", ({ jsonrpc, id }) => ({
    jsonrpc,
    id,
    error: { code: -32603, message: "Internal error" },
    _meta: {},
  })),
  "error-float": json("Answers with an error code that is no integer.", ({ jsonrpc, id }) => ({
    jsonrpc,
    id,
    error: { code: -32603.5, message: "Internal error" },
  })),
  "unknown-block": result("Answers with a kind of content that no revision has.", (honest) => ({
    ...honest,
    content: [{ type: "hologram", beams: 3 }],
  })),
  "content-text": result("Answers with a sentence where a list of content belongs.", (honest) => ({
    ...honest,
    content: "done",
  })),
  "no-result-type": result("Leaves out the type that the modern revision wants in every result.", (honest) =>
    without(honest, "resultType"),
  ),
  "odd-result-type": result("Names a type of result that no revision has.", (honest) => ({
    ...honest,
    resultType: "perhaps",
  })),
  "endless-pages": result("Says that there is one page more, every time.", (honest) => ({
    ...honest,
    nextCursor: "again",
  })),
  "false-green": result("Says that it failed in a result that claims success.", (honest) => ({
    ...honest,
    content: [{ type: "text", text: '{"success":false,"error":"quota exceeded"}' }],
  })),
} as const satisfies Record<string, Body>;
