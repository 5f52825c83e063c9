import type { JsonObject } from "@recourse/core/wire";
import { describe, expect, it } from "vitest";
import {
  bodyAnswer,
  type CheckCase,
  exchangeOf,
  messageAnswer,
  OVER_HTTP,
  rpcError,
  rpcResult,
  saysOf,
  silence,
  toolFailure,
  toolSuccess,
} from "../../test/support/make-recording.ts";
import type { RecordedAnswer } from "../recording/recording.ts";

const HTTP = { target: OVER_HTTP };
const call = (answer: RecordedAnswer) => exchangeOf("valid-call", answer, { tool: "a" });
const unknown = (answer: RecordedAnswer) => exchangeOf("unknown-tool", answer);
const ping = (answer: RecordedAnswer) => exchangeOf("ping", answer, { method: "ping" });
const page = (result: JsonObject, cursor?: string, id = cursor ?? "first") =>
  exchangeOf("list", rpcResult(result), {
    id,
    method: "tools/list",
    variant: "tools/list",
    params: cursor === undefined ? {} : { cursor },
  });
const named = (...names: readonly unknown[]) => ({ tools: names.map((name) => ({ name })) });

const CASES: Readonly<Record<string, readonly CheckCase[]>> = {
  "answer-form": [
    { about: "a result", exchanges: [call(toolSuccess("1"))], says: "pass" },
    { about: "an error", exchanges: [call(rpcError(-32602, "no"))], says: "pass" },
    { about: "a page with success", exchanges: [call(bodyAnswer(200, "<html>"))], view: HTTP, says: "200 and a page" },
    { about: "nothing with success", exchanges: [call(bodyAnswer(202, ""))], view: HTTP, says: "202 and no body" },
    { about: "a page with a refusal", exchanges: [call(bodyAnswer(500, "<html>"))], view: HTTP, says: "pass" },
    {
      about: "another id",
      exchanges: [call(bodyAnswer(200, '{"jsonrpc":"2.0","id":8,"result":{}}'))],
      view: HTTP,
      says: "pass",
    },
    {
      about: "an old version in a stream",
      exchanges: [call(bodyAnswer(200, 'data: {"jsonrpc":"1.0","id":7,"result":{}}'))],
      view: HTTP,
      says: "a message that is no JSON-RPC 2.0",
    },
    {
      about: "an old version on stdout",
      exchanges: [call(silence())],
      view: { strayLines: ['{"id":7,"result":{}}'] },
      says: "its member jsonrpc is missing",
    },
    {
      about: "a log line",
      exchanges: [call(toolSuccess("1"))],
      view: { strayLines: ['{"level":"info"}'] },
      says: "pass",
    },
    {
      about: "both",
      exchanges: [call(messageAnswer({ jsonrpc: "2.0", id: 7, result: {}, error: {} }))],
      says: "a result and an error at once",
    },
    {
      about: "a text as a result",
      exchanges: [call(messageAnswer({ jsonrpc: "2.0", id: 7, result: "x" }))],
      says: "a result that is no object",
    },
    {
      about: "a text as an error",
      exchanges: [call(messageAnswer({ jsonrpc: "2.0", id: 7, error: "x" }))],
      says: "an error that is no object",
    },
    { about: "an error without a message", exchanges: [call(rpcError(1, undefined))], says: "has no message" },
    { about: "broken requests", exchanges: [exchangeOf("malformed-message", bodyAnswer(200, ""))], says: "skipped" },
  ],
  "result-form": [
    { about: "a text", exchanges: [call(toolSuccess("1"))], says: "pass" },
    { about: "no content", exchanges: [call(rpcResult({}))], says: "The result of tools/call has no list in content" },
    { about: "content without a type", exchanges: [call(rpcResult({ content: [{}] }))], says: "without a type" },
    { about: "isError as a text", exchanges: [call(rpcResult({ content: [], isError: "no" }))], says: "not a boolean" },
    { about: "a failed tool", exchanges: [call(toolFailure("no", { content: undefined }))], says: "pass" },
    { about: "a question", exchanges: [call(rpcResult({ resultType: "input_required" }))], says: "pass" },
    { about: "tools by name", exchanges: [page({ tools: { a: {} } })], says: "no list of objects in tools" },
    {
      about: "a server without a name",
      exchanges: [exchangeOf("handshake", rpcResult({ capabilities: {} }), { method: "initialize" })],
      says: "no serverInfo with a name and a version",
    },
  ],
  "answered-once": [
    { about: "once", exchanges: [call(toolSuccess("1"))], says: "pass" },
    {
      about: "twice",
      exchanges: [{ ...call(toolSuccess("1")), copies: 2 }],
      says: "a valid call of a is answered 2 times",
    },
  ],
  "unknown-tool-refused": [
    { about: "refused", exchanges: [unknown(rpcError(-32602, "no"))], says: "pass" },
    { about: "failed", exchanges: [unknown(toolFailure("no"))], says: "pass" },
    { about: "done", exchanges: [unknown(toolSuccess("There is no such tool."))], says: "is answered as a success" },
    { about: "silence", exchanges: [unknown(silence())], says: "skipped" },
  ],
  "ping-answered": [
    { about: "answered", exchanges: [ping(rpcResult({}))], says: "pass" },
    { about: "refused", exchanges: [ping(rpcError(-32601, "no"))], says: "A ping gets the error -32601" },
    { about: "silence", exchanges: [ping(silence())], says: "skipped" },
  ],
  "lists-complete": [
    { about: "one page", exchanges: [page(named("a"))], says: "pass" },
    {
      about: "three pages",
      exchanges: [
        page({ ...named("a"), nextCursor: "2" }),
        page({ ...named("b"), nextCursor: "3" }, "2"),
        page(named("c"), "3"),
      ],
      says: "pass",
    },
    {
      about: "the same cursor again",
      exchanges: [page({ ...named("a"), nextCursor: "2" }), page({ ...named("b"), nextCursor: "2" }, "2")],
      says: "comes again, so the list has no end",
    },
    {
      about: "nothing new",
      exchanges: ["1", "2", "3", "4"].map((next) => page({ ...named("a"), nextCursor: next }, undefined, next)),
      says: "bring nothing new",
    },
    {
      about: "a cursor that is refused",
      exchanges: [
        page({ ...named("a"), nextCursor: "2" }),
        exchangeOf("list", rpcError(-32602, "no"), {
          method: "tools/list",
          variant: "tools/list",
          params: { cursor: "2" },
        }),
      ],
      says: "refuses the cursor that the server gave",
    },
    {
      about: "an error",
      exchanges: [exchangeOf("list", rpcError(-32603, "no"), { method: "tools/list", variant: "tools/list" })],
      says: "tools/list is answered with the error -32603",
    },
    {
      about: "an error of what is not declared",
      exchanges: [exchangeOf("list", rpcError(-32603, "no"), { method: "tools/list", variant: "tools/list" })],
      view: { capabilities: {} },
      says: "skipped",
    },
  ],
  "tool-names": [
    { about: "plain", exchanges: [page({})], view: named("list_orders", "shop/find.item-2"), says: "pass" },
    { about: "twice", exchanges: [page({})], view: named("a", "a"), says: "Two tools have the name a" },
    { about: "none", exchanges: [page({})], view: named(undefined), says: "A tool has no name" },
    { about: "odd", exchanges: [page({})], view: named("a\u001b[2J b"), says: "the tool a\\u{1b}[2J b" },
    { about: "long", exchanges: [page({})], view: named("a".repeat(129)), says: "Hosts do not accept" },
    { about: "no tools", exchanges: [page({})], says: "skipped" },
  ],
  "leak-credential": [
    {
      about: "a given secret in a result",
      exchanges: [{ ...call(toolSuccess("‹hidden›")), secretShown: true }],
      says: "The answer to a valid call of a holds a secret that the server was given",
    },
    { about: "a hidden value that is no secret", exchanges: [call(toolFailure("‹hidden›"))], says: "pass" },
    {
      about: "a given secret on stderr",
      exchanges: [call(toolSuccess("1"))],
      view: { secretIn: ["stderr"] },
      says: "prints a secret that it was given on stderr",
    },
  ],
};

describe.each(Object.entries(CASES))("%s", (id, cases) => {
  it.each(cases)("$about: $says", (one) => {
    expect(saysOf(id, one).toLowerCase()).toContain(one.says.toLowerCase());
  });
});
