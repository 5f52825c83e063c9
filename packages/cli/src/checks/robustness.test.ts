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
  toolSuccess,
} from "../../test/support/make-recording.ts";
import type { RecordedAnswer } from "../recording/recording.ts";

const HTTP = { target: OVER_HTTP };
const CLOSED: RecordedAnswer = { kind: "closed", ms: 5, exitCode: 0, signal: null };
const BROKE: RecordedAnswer = { kind: "inconclusive", ms: 5, because: "EPIPE" };
const slow = (answer: RecordedAnswer, ms: number): RecordedAnswer => ({ ...answer, ms });
const streamEnd: RecordedAnswer = {
  ...bodyAnswer(200, ": keep-alive"),
  http: { status: 200, headers: {}, streamed: true },
} as RecordedAnswer;
const malformed = (variant: string, answer: RecordedAnswer) =>
  exchangeOf("malformed-message", answer, { variant, text: "{" });
const noId = (code: number) => silence([{ jsonrpc: "2.0", error: { code, message: "no" } }]);
const long = (answer: RecordedAnswer) => exchangeOf("long-message", answer, { text: "x" });
const next = (answer: RecordedAnswer) => exchangeOf("long-message", answer, { variant: "next" });

const CASES: Readonly<Record<string, readonly CheckCase[]>> = {
  "no-hang": [
    { about: "answered", exchanges: [exchangeOf("unknown-tool", rpcError(-32602, "no"))], says: "pass" },
    {
      about: "silence",
      exchanges: [exchangeOf("unknown-tool", silence())],
      says: "A call of an unknown tool gets no answer within 8 s",
    },
    {
      about: "a stream that ends",
      exchanges: [exchangeOf("list", streamEnd, { variant: "tools/list" })],
      view: HTTP,
      says: "the stream ends",
    },
    {
      about: "a tool that does not answer in the time of an older probe",
      exchanges: [exchangeOf("valid-call", slow(silence(), 5_000), { tool: "a" })],
      says: "A valid call of a gets no answer within 5 s",
    },
    {
      about: "a slow tool",
      exchanges: [exchangeOf("valid-call", slow(toolSuccess("1"), 10_000), { tool: "a" })],
      says: "pass",
    },
    {
      about: "a GET request for a stream",
      exchanges: [exchangeOf("http-edge", silence(), { variant: "get" })],
      view: HTTP,
      says: "pass",
    },
    {
      about: "a call behind a slow tool",
      exchanges: [
        exchangeOf("valid-call", slow(toolSuccess("1"), 5_000), { tool: "a" }),
        exchangeOf("wrong-arguments", silence(), { tool: "b", variant: "type" }),
      ],
      says: "pass",
    },
    {
      about: "a call with wrong arguments",
      exchanges: [exchangeOf("wrong-arguments", silence(), { tool: "b", variant: "type" })],
      says: "gets no answer within 8 s",
    },
    {
      about: "a tool that never ends",
      exchanges: [exchangeOf("valid-call", slow(silence(), 30_000), { tool: "a" })],
      says: "within 30 s",
    },
    {
      about: "another id in a stream",
      exchanges: [exchangeOf("odd-id", { ...streamEnd, text: 'data: {"id":null,"result":{}}' } as RecordedAnswer)],
      view: HTTP,
      says: "pass",
    },
    { about: "another id", exchanges: [exchangeOf("odd-id", silence([{ id: 1, result: {} }]))], says: "pass" },
    { about: "junk", exchanges: [malformed("cut", silence()), exchangeOf("list", rpcResult({}))], says: "pass" },
    { about: "only junk", exchanges: [malformed("cut", silence())], says: "skipped" },
    { about: "nothing sent", exchanges: [], says: "skipped" },
  ],
  "no-crash": [
    {
      about: "an end after the answer",
      exchanges: [
        { ...exchangeOf("valid-call", toolSuccess("1"), { tool: "a" }), ended: { exitCode: 0, signal: null } },
      ],
      says: "The process ends with code 0 after it answered a valid call of a.",
    },
    { about: "answered", exchanges: [exchangeOf("list", rpcResult({}))], says: "pass" },
    {
      about: "the process ends",
      exchanges: [malformed("cut", CLOSED)],
      says: "The process ends with code 0 after broken JSON",
    },
    {
      about: "a signal",
      exchanges: [exchangeOf("deep-json", { ...CLOSED, exitCode: null, signal: "SIGSEGV" } as RecordedAnswer)],
      says: "ends by SIGSEGV after a message with 20,000 nested lists",
    },
    {
      about: "the connection breaks",
      exchanges: [exchangeOf("list", CLOSED)],
      view: HTTP,
      says: "breaks the connection",
    },
    {
      about: "an odd request is dropped",
      exchanges: [exchangeOf("http-edge", CLOSED), exchangeOf("list", rpcResult({}, 200))],
      view: HTTP,
      says: "pass",
    },
    {
      about: "the end of input",
      exchanges: [exchangeOf("close-stdin", CLOSED), exchangeOf("list", rpcResult({}))],
      says: "pass",
    },
    { about: "a long message", exchanges: [long(CLOSED), exchangeOf("list", rpcResult({}))], says: "pass" },
    { about: "nothing sent", exchanges: [], says: "skipped" },
  ],
  "concurrent-answers": [
    { about: "all answered", exchanges: [exchangeOf("concurrent", rpcResult({}))], says: "pass" },
    {
      about: "refused is answered",
      exchanges: [exchangeOf("concurrent", bodyAnswer(429, ""))],
      view: HTTP,
      says: "pass",
    },
    {
      about: "one lost",
      exchanges: [exchangeOf("concurrent", rpcResult({})), exchangeOf("concurrent", silence())],
      says: "1 of 2 requests",
    },
    { about: "nothing sent", exchanges: [], says: "skipped" },
  ],
  "invalid-request-answered": [
    { about: "refused", exchanges: [malformed("no-jsonrpc", rpcError(-32600, "no"))], says: "pass" },
    { about: "refused without an id", exchanges: [malformed("list-params", noId(-32600))], says: "pass" },
    {
      about: "silence",
      exchanges: [malformed("list-params", silence())],
      says: "A message whose params are a list gets no answer",
    },
    { about: "accepted", exchanges: [malformed("no-jsonrpc", rpcResult({}))], says: "as if nothing was wrong" },
    { about: "another code", exchanges: [malformed("no-jsonrpc", rpcError(-32603, "no"))], says: 'the error "-32603"' },
    {
      about: "a page",
      exchanges: [malformed("no-jsonrpc", bodyAnswer(400, "<p>"))],
      view: HTTP,
      says: "gets 400 without a JSON-RPC error",
    },
    {
      about: "credentials first",
      exchanges: [malformed("no-jsonrpc", bodyAnswer(401, ""))],
      view: HTTP,
      says: "skipped",
    },
    { about: "a crash is another finding", exchanges: [malformed("no-jsonrpc", CLOSED)], says: "skipped" },
    { about: "what is not JSON", exchanges: [malformed("cut", silence())], says: "skipped" },
  ],
  "parse-error-answered": [
    { about: "refused", exchanges: [malformed("cut", noId(-32700))], says: "pass" },
    {
      about: "refused over HTTP",
      exchanges: [malformed("cut", rpcError(-32700, "no", { status: 400 }))],
      view: HTTP,
      says: "pass",
    },
    { about: "silence", exchanges: [malformed("text", silence())], says: "A text that is no JSON gets no answer" },
    { about: "another code", exchanges: [malformed("cut", rpcError(-32603, "no"))], says: 'the error "-32603"' },
    {
      about: "a page",
      exchanges: [malformed("cut", bodyAnswer(400, "<p>"))],
      view: HTTP,
      says: "without a JSON-RPC error",
    },
    { about: "nothing sent", exchanges: [], says: "skipped" },
  ],
  "deep-json": [
    { about: "refused", exchanges: [exchangeOf("deep-json", rpcError(-32602, "no"))], says: "pass" },
    { about: "refused without an id", exchanges: [exchangeOf("deep-json", noId(-32700))], says: "pass" },
    { about: "silence", exchanges: [exchangeOf("deep-json", silence())], says: "20,000 nested lists get no answer" },
    { about: "5xx", exchanges: [exchangeOf("deep-json", bodyAnswer(500, ""))], view: HTTP, says: "get 500" },
    { about: "a crash is another finding", exchanges: [exchangeOf("deep-json", CLOSED)], says: "skipped" },
  ],
  "http-after-refusal": [
    {
      about: "quick",
      exchanges: [long(rpcError(-32600, "no", { status: 413 })), next(rpcResult({}, 200))],
      view: HTTP,
      says: "pass",
    },
    {
      about: "slow",
      exchanges: [long(rpcError(-32600, "no", { status: 413 })), next(slow(rpcResult({}, 200), 6_000))],
      view: HTTP,
      says: "takes 6.0 s",
    },
    { about: "closed", exchanges: [long(bodyAnswer(413, "")), next(CLOSED)], view: HTTP, says: "skipped" },
    {
      about: "the body is accepted",
      exchanges: [long(toolSuccess("ok")), next(slow(silence(), 9_000))],
      view: HTTP,
      says: "skipped",
    },
    { about: "nothing can be said", exchanges: [long(BROKE), next(BROKE)], view: HTTP, says: "skipped" },
  ],
};

describe.each(Object.entries(CASES))("%s", (id, cases) => {
  it.each(cases)("$about: $says", (one) => {
    expect(saysOf(id, one)).toContain(one.says);
  });
});
