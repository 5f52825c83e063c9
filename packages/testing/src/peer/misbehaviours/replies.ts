// Replies that are malformed on every transport. Each is made from the correct reply.

import { isObject, type JsonObject, objectAt } from "@recourse/core/wire";

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

// Failures as servers of the official SDK really send them, with their leaks, lost codes and odd shapes.

/** A connection string that stands in every recorded failure that leaks. Tests look for it. */
export const SECRET = "postgres://user:hunter2@db.internal/prod";

export interface RecordedFailure {
  readonly description: string;
  /** The result or the error that replaces the correct one. */
  readonly wire: { readonly result: JsonObject } | { readonly error: JsonObject };
  /** Whether the tool has run. */
  readonly ran: boolean;
}

const errorResult = (description: string, text: string, { ran = true } = {}): RecordedFailure => ({
  description,
  wire: { result: { resultType: "complete", content: [{ type: "text", text }], isError: true } },
  ran,
});
const rpcError = (description: string, error: JsonObject): RecordedFailure => ({
  description,
  wire: { error },
  ran: false,
});

const ZOD_ISSUES = JSON.stringify([
  { expected: "string", code: "invalid_type", path: ["params", "cursor"], message: "Invalid input" },
]);

/** The failures by name, as parts of a JSON-RPC reply. */
export const RECORDED_FAILURES = {
  "replay-thrown-error": errorResult("A tool threw: its message, with the secret, is the text.", `secret: ${SECRET}`),
  "replay-thrown-string": errorResult("A tool threw a string: it is the text.", SECRET),
  "replay-thrown-cause": errorResult("A tool threw an error with a cause: only the outer message is sent.", "outer"),
  "replay-refinement-leak": errorResult("A schema's own check threw: its message is the text.", SECRET, { ran: false }),
  "replay-capability-lost": errorResult(
    "A tool threw that the client lacks a capability: code and data are lost.",
    "Missing required client capability",
  ),
  "replay-thrown-null": errorResult("A tool threw null.", "null"),
  "replay-thrown-object": errorResult("A tool threw an object.", "[object Object]"),
  "replay-protocol-error-v2": errorResult(
    "A tool threw a protocol error: SDK version 2 loses code and data.",
    "Quota exceeded",
  ),
  "replay-protocol-error-v1": errorResult(
    "A tool threw a protocol error: SDK version 1 keeps the code only in the text.",
    "MCP error -32602: Quota exceeded",
  ),
  "replay-bad-arguments-v2": errorResult(
    "Wrong arguments, as SDK version 2 reports them.",
    "Input validation error: Invalid arguments for tool charge: amount: Invalid input: expected number, received undefined",
    { ran: false },
  ),
  "replay-bad-arguments-v1": errorResult(
    "Wrong arguments, as SDK version 1 reports them.",
    "MCP error -32602: Input validation error: Invalid arguments for tool charge: ✖ Invalid input: expected number, received undefined\n  → at amount",
    { ran: false },
  ),
  "replay-unknown-tool-v2": rpcError("An unknown tool, as SDK version 2 reports it.", {
    code: -32602,
    message: "Tool charge not found",
  }),
  "replay-unknown-tool-v1": errorResult(
    "An unknown tool, as SDK version 1 reports it.",
    "MCP error -32602: Tool charge not found",
    { ran: false },
  ),
  "replay-disabled-tool": rpcError("A disabled tool.", { code: -32602, message: "Tool charge disabled" }),
  "replay-disabled-tool-v1": errorResult(
    "A disabled tool, as SDK version 1 reports it.",
    "MCP error -32602: Tool charge disabled",
    { ran: false },
  ),
  "replay-prototype-tool": rpcError("A tool named like a member of every object.", {
    code: -32602,
    message: "Tool constructor disabled",
  }),
  "replay-off-schema": {
    description: "A failure whose structured content does not fit the tool's output schema.",
    wire: {
      result: {
        resultType: "complete",
        content: [{ type: "text", text: "Failed." }],
        structuredContent: { failed: true },
        isError: true,
      },
    },
    ran: true,
  },
  "replay-output-invalid": errorResult(
    "The tool ran, but its result does not match its schema.",
    "Output validation error: Tool charge has an output schema but no structured content was provided",
  ),
  "replay-output-invalid-v1": errorResult(
    "A result that does not match its schema, as SDK version 1 reports it.",
    "MCP error -32602: Output validation error: Tool charge has an output schema but no structured content was provided",
  ),
  "replay-undefined-result": errorResult(
    "A handler returned nothing.",
    "Cannot read properties of undefined (reading 'structuredContent')",
  ),
  "replay-malformed-result": {
    ...rpcError("A handler returned something that is not a result.", {
      code: -32602,
      message: `Invalid tools/call result: ${ZOD_ISSUES}`,
    }),
    ran: true,
  },
  "replay-driver-error": rpcError("A database driver's error: code, message and data leak.", {
    code: 1045,
    message: `ER_ACCESS_DENIED_ERROR: ${SECRET}`,
    data: { sql: `select '${SECRET}'` },
  }),
  "replay-reserved-code": rpcError("A code that the protocol reserves but does not define.", {
    code: -32050,
    message: "Reserved",
  }),
  "replay-internal-leak": rpcError("A resource or prompt threw: its message is the error's.", {
    code: -32603,
    message: SECRET,
  }),
  "replay-url-elicitation": rpcError("The user has to open a link first.", {
    code: -32042,
    message: "Open the link first.",
    data: { elicitations: [{ mode: "url", elicitationId: "e1", url: "https://example.com/ok", message: "Open it." }] },
  }),
  "replay-url-elicitation-modern": rpcError("A link to open, in a revision that has no code for it.", {
    code: -32603,
    message: "URL elicitation cannot be signalled by throwing in this protocol revision",
  }),
  "replay-resource-missing-v2": rpcError("A missing resource, as SDK version 2 reports it.", {
    code: -32602,
    message: "Resource not found: res://none",
    data: { uri: "res://none" },
  }),
  "replay-resource-missing-v1": rpcError("A missing resource, as SDK version 1 reports it.", {
    code: -32602,
    message: "MCP error -32602: Resource res://none not found",
  }),
  "replay-resource-missing-old": rpcError("A missing resource, as older revisions report it.", {
    code: -32002,
    message: "Resource not found",
    data: { uri: "res://none" },
  }),
  "replay-bad-uri-v2": rpcError("An invalid URI, as SDK version 2 reports it.", {
    code: -32602,
    message: "Invalid URI",
    data: { uri: "not a uri", reason: "invalid_uri" },
  }),
  "replay-bad-uri-v1": rpcError("An invalid URI, as SDK version 1 reports it.", {
    code: -32603,
    message: "Invalid URL",
  }),
  "replay-method-not-found": rpcError("An unknown method, reported with status 200.", {
    code: -32601,
    message: "Method not found",
  }),
  "replay-unknown-prompt": rpcError("An unknown prompt.", { code: -32602, message: "Prompt nowhere not found" }),
  "replay-zod-params": rpcError("Wrong parameters, in the words of the validator.", {
    code: -32602,
    message: ZOD_ISSUES,
  }),
  "replay-zod-internal": rpcError("Wrong parameters, reported as an internal error.", {
    code: -32603,
    message: ZOD_ISSUES,
  }),
  "replay-request-state": rpcError("State that was tampered with.", {
    code: -32602,
    message: "Invalid or expired requestState",
    data: { reason: "invalid" },
  }),
} as const satisfies Record<string, RecordedFailure>;
