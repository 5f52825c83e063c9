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
} from "../../test/support/make-recording.ts";

const NEW = { revision: "2026-07-28" } as const;
const HTTP = { target: OVER_HTTP };
const oddId = (answer: Parameters<typeof exchangeOf>[1]) => exchangeOf("odd-id", answer, { variant: "zero" });
const version = (answer: Parameters<typeof exchangeOf>[1], variant = "body") =>
  exchangeOf("unknown-version", answer, { variant, method: "initialize" });
const session = (answer: Parameters<typeof exchangeOf>[1]) =>
  exchangeOf("http-edge", answer, { variant: "unknown-session" });
const list = (method: string, answer: Parameters<typeof exchangeOf>[1]) =>
  exchangeOf("list", answer, { method, variant: method });
const notification = (answer: Parameters<typeof exchangeOf>[1]) =>
  exchangeOf("notification", answer, { variant: "unknown" });

const CASES: Readonly<Record<string, readonly CheckCase[]>> = {
  "id-kept": [
    { about: "the same id", exchanges: [oddId(rpcResult({}))], says: "pass" },
    {
      about: "another type",
      exchanges: [oddId(messageAnswer({ jsonrpc: "2.0", id: "7", result: {} }))],
      says: 'with the id 7 has the id "7"',
    },
    {
      about: "an ordinary call with another type",
      exchanges: [exchangeOf("valid-call", silence([{ id: "7", result: {} }]), { tool: "a" })],
      says: 'with the id 7 has the id "7"',
    },
    {
      about: "an ordinary call beside the answer to another one",
      exchanges: [exchangeOf("valid-call", silence([{ id: 8, result: {} }]), { tool: "a" })],
      says: "pass",
    },
    { about: "a stray with another id", exchanges: [oddId(silence([{ id: null, result: {} }]))], says: "the id null" },
    { about: "a stray without an id", exchanges: [oddId(silence([{ error: { code: 1 } }]))], says: "has no id" },
    {
      about: "a notification in a silence",
      exchanges: [oddId(silence([{ method: "notifications/x" }]))],
      says: "pass",
    },
    {
      about: "a body with another id",
      exchanges: [oddId(bodyAnswer(200, '{"jsonrpc":"2.0","id":8,"result":{}}', "application/json"))],
      view: HTTP,
      says: "has the id 8",
    },
    {
      about: "a stream with another id",
      exchanges: [
        oddId(bodyAnswer(200, 'event: message\ndata: {"jsonrpc":"2.0","id":8,"result":{}}', "text/event-stream")),
      ],
      view: HTTP,
      says: "has the id 8",
    },
    { about: "nothing sent", exchanges: [], says: "skipped" },
  ],
  "version-negotiated": [
    {
      about: "a version that is echoed",
      exchanges: [version(rpcResult({ protocolVersion: "1900-01-01" }))],
      says: 'An unknown protocol version is answered with "1900-01-01", which does not exist.',
    },
    {
      about: "a version of the future",
      exchanges: [exchangeOf("handshake", rpcResult({ protocolVersion: "2099-01-01" }), { method: "initialize" })],
      says: 'The server agrees on the version "2099-01-01", which does not exist.',
    },
    {
      about: "an old version",
      exchanges: [exchangeOf("handshake", rpcResult({ protocolVersion: "2024-11-05" }), { method: "initialize" })],
      says: "pass",
    },
    { about: "a version", exchanges: [version(rpcResult({ protocolVersion: "2025-11-25" }))], says: "pass" },
    { about: "an error", exchanges: [version(rpcError(-32602, "no"))], says: "gets the error -32602" },
    { about: "a result without a version", exchanges: [version(rpcResult({}))], says: "names no version" },
    {
      about: "the error of the newer era",
      exchanges: [version(rpcError(-32022, "no", { data: { supported: ["2026-07-28"] }, status: 400 }))],
      view: { ...HTTP, ...NEW },
      says: "pass",
    },
    {
      about: "that error without a list",
      exchanges: [version(rpcError(-32022, "no", { status: 400 }))],
      view: { ...HTTP, ...NEW },
      says: "does not list the supported versions",
    },
    {
      about: "served in the newer era",
      exchanges: [version(rpcResult({}, 200))],
      view: { ...HTTP, ...NEW },
      says: "is not refused",
    },
    {
      about: "another error in the newer era",
      exchanges: [version(rpcError(-32600, "no"))],
      view: NEW,
      says: "-32600 instead of",
    },
    { about: "served over stdio in the newer era", exchanges: [version(rpcResult({}))], view: NEW, says: "skipped" },
    { about: "refused credentials", exchanges: [version(bodyAnswer(401, "no"))], view: HTTP, says: "skipped" },
    { about: "nothing sent", exchanges: [], says: "skipped" },
  ],
  "version-detail": [
    {
      about: "a list in the data",
      exchanges: [version(rpcError(-32022, "no", { data: { supported: ["2025-06-18"] }, status: 400 }), "header")],
      view: HTTP,
      says: "pass",
    },
    {
      about: "no version",
      exchanges: [version(rpcError(-32600, "The request is malformed.", { status: 400 }), "header")],
      view: HTTP,
      says: 'refused with "The request is malformed."',
    },
    {
      about: "a time is not a version",
      exchanges: [version(rpcError(-32600, "no", { data: { at: "2026-11-16T05:00:00.000Z" }, status: 400 }), "header")],
      view: HTTP,
      says: "no supported version",
    },
    {
      about: "a page that names one",
      exchanges: [version(bodyAnswer(400, "use 2025-11-25"), "header")],
      view: HTTP,
      says: "pass",
    },
    { about: "the header is ignored", exchanges: [version(rpcResult({}, 200), "header")], view: HTTP, says: "skipped" },
    { about: "nothing sent", exchanges: [], view: HTTP, says: "skipped" },
  ],
  "session-404": [
    { about: "404", exchanges: [session(bodyAnswer(404, ""))], view: HTTP, says: "pass" },
    {
      about: "400",
      exchanges: [session(rpcError(-32000, "Bad session", { status: 400 }))],
      view: HTTP,
      says: "gets 400 instead of 404",
    },
    { about: "no sessions", exchanges: [session(rpcResult({}, 200))], view: HTTP, says: "skipped" },
    { about: "credentials first", exchanges: [session(bodyAnswer(401, ""))], view: HTTP, says: "skipped" },
    { about: "5xx is another finding", exchanges: [session(bodyAnswer(500, ""))], view: HTTP, says: "skipped" },
  ],
  "capabilities-honest": [
    { about: "declared and served", exchanges: [list("tools/list", rpcResult({ tools: [] }))], says: "pass" },
    {
      about: "declared and failing",
      exchanges: [list("tools/list", rpcError(-32601, "no"))],
      says: "tools/list is answered with -32601",
    },
    {
      about: "its service is away",
      exchanges: [list("tools/list", rpcError(-32603, "no"))],
      says: "pass",
    },
    {
      about: "served and not declared",
      exchanges: [list("prompts/list", rpcResult({ prompts: [{ name: "a" }] }))],
      view: { capabilities: {} },
      says: "prompts is not declared, but prompts/list lists 1",
    },
    {
      about: "an empty list",
      exchanges: [list("prompts/list", rpcResult({ prompts: [] }))],
      view: { capabilities: {} },
      says: "pass",
    },
    { about: "no templates", exchanges: [list("resources/templates/list", rpcError(-32601, "no"))], says: "pass" },
    { about: "nothing sent", exchanges: [], says: "skipped" },
  ],
  "notification-silent": [
    { about: "silence", exchanges: [notification(silence())], says: "pass" },
    {
      about: "a notification of the server",
      exchanges: [notification(silence([{ method: "notifications/x" }]))],
      says: "pass",
    },
    {
      about: "an answer",
      exchanges: [notification(rpcError(-32601, "no"))],
      says: "An unknown notification gets an answer",
    },
    { about: "a stray answer", exchanges: [notification(silence([{ id: null, error: {} }]))], says: "gets an answer" },
    { about: "202", exchanges: [notification(bodyAnswer(202, ""))], view: HTTP, says: "pass" },
    {
      about: "4xx with an error",
      exchanges: [notification(rpcError(-32600, "no", { status: 400 }))],
      view: HTTP,
      says: "pass",
    },
    { about: "5xx", exchanges: [notification(bodyAnswer(500, ""))], view: HTTP, says: "gets 500" },
    { about: "nothing sent", exchanges: [], says: "skipped" },
  ],
};

describe.each(Object.entries(CASES))("%s", (id, cases) => {
  it.each(cases)("$about: $says", (one) => {
    expect(saysOf(id, one)).toContain(one.says);
  });
});
