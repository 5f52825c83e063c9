import { describe, expect, it } from "vitest";
import {
  bodyAnswer,
  type CheckCase,
  exchangeOf,
  OVER_HTTP,
  rpcError,
  rpcResult,
  saysOf,
  silence,
  toolFailure,
} from "../../test/support/make-recording.ts";
import type { RecordedAnswer } from "../recording/recording.ts";

const HTTP = { target: OVER_HTTP };
const unknown = (answer: RecordedAnswer) => exchangeOf("unknown-tool", answer, { variant: "first" });
const valid = (answer: RecordedAnswer) => exchangeOf("valid-call", answer, { tool: "find_item" });
const wrong = (answer: RecordedAnswer) => exchangeOf("wrong-arguments", answer, { variant: "type", tool: "find_item" });
const edge = (variant: string, answer: RecordedAnswer) => exchangeOf("http-edge", answer, { variant });
const cut = (answer: RecordedAnswer) => exchangeOf("malformed-message", answer, { variant: "cut", text: "{" });
const OUTPUT = { tools: [{ name: "find_item", outputSchema: { type: "object", required: ["price"] } }] };
const NOTHING: CheckCase = { about: "nothing", exchanges: [unknown(silence())], says: "skipped" };

const CASES: Readonly<Record<string, readonly CheckCase[]>> = {
  "unknown-tool-channel": [
    { about: "a failed tool", exchanges: [unknown(toolFailure("no"))], says: "answered like a tool that failed" },
    { about: "an error", exchanges: [unknown(rpcError(-32602, "no"))], says: "pass" },
    {
      about: "an older version",
      exchanges: [unknown(toolFailure("no"))],
      view: { negotiated: "2024-11-05" },
      says: "skipped",
    },
    NOTHING,
  ],
  "args-channel": [
    {
      about: "an error",
      exchanges: [wrong(rpcError(-32602, "no"))],
      says: "with arguments of the wrong type is answered with the JSON-RPC error -32602.",
    },
    { about: "a failed tool", exchanges: [wrong(toolFailure("no"))], says: "pass" },
    {
      about: "an older version",
      exchanges: [wrong(rpcError(-32602, "no"))],
      view: { negotiated: "2025-06-18" },
      says: "skipped",
    },
    { about: "no permission", exchanges: [wrong(rpcError(-32600, "no", { status: 403 }))], says: "skipped" },
    NOTHING,
  ],
  "tool-failure-channel": [
    {
      about: "an error",
      exchanges: [valid(rpcError(-32603, "no"))],
      says: "A valid call of find_item fails with the JSON-RPC error -32603.",
    },
    { about: "a failed tool", exchanges: [valid(toolFailure("no"))], says: "pass" },
    { about: "no permission", exchanges: [valid(rpcError(-32600, "no", { status: 401 }))], says: "skipped" },
    { about: "a missing capability", exchanges: [valid(rpcError(-32021, "no"))], says: "skipped" },
    NOTHING,
  ],
  "error-has-text": [
    {
      about: "no content",
      exchanges: [valid(rpcResult({ content: [], isError: true }))],
      says: "A valid call of find_item fails without any text.",
    },
    { about: "an empty text", exchanges: [valid(toolFailure(" "))], says: "without any text" },
    {
      about: "a picture",
      exchanges: [valid(rpcResult({ content: [{ type: "image", data: "" }], isError: true }))],
      says: "without any text",
    },
    { about: "a text", exchanges: [valid(toolFailure("no"))], says: "pass" },
    {
      about: "a resource",
      exchanges: [
        exchangeOf("unknown-resource", rpcResult({ contents: [], isError: true }), { method: "resources/read" }),
      ],
      says: "skipped",
    },
    NOTHING,
  ],
  "error-structured-valid": [
    {
      about: "wrong data",
      exchanges: [valid(toolFailure("no", { structuredContent: { code: "x" } }))],
      view: OUTPUT,
      says: "does not match the output schema of find_item",
    },
    {
      about: "right data",
      exchanges: [valid(toolFailure("no", { structuredContent: { price: 1 } }))],
      view: OUTPUT,
      says: "pass",
    },
    { about: "no data", exchanges: [valid(toolFailure("no"))], view: OUTPUT, says: "pass" },
    { about: "no schema", exchanges: [valid(toolFailure("no", { structuredContent: {} }))], says: "skipped" },
    NOTHING,
  ],
  "http-error-json": [
    {
      about: "a page",
      exchanges: [cut(bodyAnswer(400, "<html></html>"))],
      view: HTTP,
      says: "Broken JSON is answered with status 400 and a page.",
    },
    {
      about: "a text",
      exchanges: [edge("foreign-host", bodyAnswer(403, "Forbidden", "text/plain"))],
      view: HTTP,
      says: "a text that is no JSON",
    },
    { about: "nothing in it", exchanges: [edge("empty-body", bodyAnswer(400, ""))], view: HTTP, says: "no body" },
    {
      about: "other JSON",
      exchanges: [cut(bodyAnswer(400, '{"error":"bad"}'))],
      view: HTTP,
      says: "JSON that is no JSON-RPC error",
    },
    {
      about: "JSON with 403",
      exchanges: [edge("foreign-origin", bodyAnswer(403, '{"error":"Forbidden"}'))],
      view: HTTP,
      says: "pass",
    },
    { about: "an error", exchanges: [cut(rpcError(-32700, "no", { status: 400 }))], view: HTTP, says: "pass" },
    { about: "a PUT request", exchanges: [edge("put", bodyAnswer(405, ""))], view: HTTP, says: "skipped" },
    NOTHING,
  ],
  "http-no-5xx": [
    {
      about: "500",
      exchanges: [cut(rpcError(-32603, "no", { status: 500 }))],
      view: HTTP,
      says: "Broken JSON is answered with status 500.",
    },
    { about: "400", exchanges: [cut(rpcError(-32700, "no", { status: 400 }))], view: HTTP, says: "pass" },
    { about: "501 for PUT", exchanges: [edge("put", bodyAnswer(501, ""))], view: HTTP, says: "pass" },
    { about: "deep JSON", exchanges: [exchangeOf("deep-json", bodyAnswer(500, ""))], view: HTTP, says: "skipped" },
    NOTHING,
  ],
  "http-status": [
    {
      about: "PUT",
      exchanges: [edge("put", bodyAnswer(404, ""))],
      view: HTTP,
      says: "A PUT request is answered with status 404 in place of 405.",
    },
    { about: "text/plain", exchanges: [edge("text-plain", bodyAnswer(400, ""))], view: HTTP, says: "in place of 415" },
    {
      about: "the right ones",
      exchanges: [edge("put", bodyAnswer(405, "")), edge("text-plain", bodyAnswer(415, ""))],
      view: HTTP,
      says: "pass",
    },
    { about: "no permission", exchanges: [edge("put", bodyAnswer(401, ""))], view: HTTP, says: "skipped" },
    NOTHING,
  ],
};

describe.each(Object.entries(CASES))("%s", (id, cases) => {
  it.each(cases)("says of $about: $says", (one) => {
    expect(saysOf(id, one)).toContain(one.says);
  });
});
