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
  toolSuccess,
} from "../../test/support/make-recording.ts";
import type { RecordedAnswer } from "../recording/recording.ts";

const NEWER = { revision: "2026-07-28" } as const;
const unknown = (answer: RecordedAnswer) =>
  exchangeOf("unknown-tool", answer, { variant: "first", params: { name: "recourse-probe-value" } });
const valid = (answer: RecordedAnswer) => exchangeOf("valid-call", answer, { tool: "find_item" });
const params = (answer: RecordedAnswer, method = "tools/call") =>
  exchangeOf("malformed-params", answer, { variant: "name-5", method });
const method = (answer: RecordedAnswer) => exchangeOf("unknown-method", answer, { method: "recourse/probe" });
const misspelt = (answer: RecordedAnswer) =>
  exchangeOf("misspelt-tool", answer, { tool: "find_item", params: { name: "find_iten" } });
const NOTHING: CheckCase = { about: "nothing", exchanges: [unknown(silence())], says: "skipped" };

const CASES: Readonly<Record<string, readonly CheckCase[]>> = {
  "code-integer": [
    {
      about: "a text",
      exchanges: [unknown(rpcError("E_UNKNOWN", "no"))],
      says: 'the code "E_UNKNOWN", which is no whole number',
    },
    { about: "a fraction", exchanges: [unknown(rpcError(1.5, "no"))], says: "the code 1.5" },
    { about: "none", exchanges: [unknown(rpcError(undefined, "no"))], says: "no code" },
    { about: "a code", exchanges: [unknown(rpcError(-32602, "no"))], says: "pass" },
    {
      about: "a body that is no JSON-RPC",
      exchanges: [unknown(bodyAnswer(403, '{"error":{"code":"x"}}'))],
      says: "skipped",
    },
    NOTHING,
  ],
  "code-reserved": [
    {
      about: "a reserved code",
      exchanges: [unknown(rpcError(-32050, "no"))],
      says: "answered with -32050, which the protocol reserves",
    },
    {
      about: "-32042 in the older era",
      exchanges: [unknown(rpcError(-32042, "no")), unknown(rpcError(-32002, "no"))],
      says: "pass",
    },
    {
      about: "-32002 in the newer era",
      exchanges: [unknown(rpcError(-32002, "no"))],
      view: NEWER,
      says: "-32002, which the protocol reserves",
    },
    {
      about: "-32022 for an unknown tool",
      exchanges: [unknown(rpcError(-32022, "no"))],
      view: NEWER,
      says: "which means an unsupported version",
    },
    {
      about: "-32022 for an unknown version",
      exchanges: [exchangeOf("unknown-version", rpcError(-32022, "no"))],
      view: NEWER,
      says: "pass",
    },
    NOTHING,
  ],
  "code-legacy-range": [
    {
      about: "-32000",
      exchanges: [exchangeOf("http-edge", rpcError(-32000, "no", { status: 405 }), { variant: "put" })],
      view: NEWER,
      says: "A PUT request is answered with -32000",
    },
    { about: "-32602", exchanges: [unknown(rpcError(-32602, "no"))], view: NEWER, says: "pass" },
    NOTHING,
  ],
  "code-process": [
    {
      about: "an exit status",
      exchanges: [exchangeOf("prompt-argument", rpcError(127, "Command failed: /bin/sh -c undefined"))],
      says: "answered with 127, the number of a process",
    },
    { about: "a code of an app", exchanges: [unknown(rpcError(7, "The order is closed."))], says: "pass" },
    { about: "a runtime text", exchanges: [unknown(rpcError(-32603, "fetch failed"))], says: "pass" },
    NOTHING,
  ],
  "unknown-tool-code": [
    {
      about: "-32601",
      exchanges: [unknown(rpcError(-32601, "no"))],
      says: "A call of an unknown tool is answered with -32601.",
    },
    {
      about: "a server without tools",
      exchanges: [unknown(rpcError(-32601, "no"))],
      view: { capabilities: { resources: {} } },
      says: "skipped",
    },
    { about: "-32602", exchanges: [unknown(rpcError(-32602, "no"))], says: "pass" },
    { about: "a failed tool", exchanges: [unknown(toolFailure("no"))], says: "skipped" },
    { about: "no permission", exchanges: [unknown(rpcError(-32600, "no", { status: 401 }))], says: "skipped" },
    NOTHING,
  ],
  "unknown-method-code": [
    { about: "-32600", exchanges: [method(rpcError(-32600, "no"))], says: "answered with -32600." },
    { about: "a result", exchanges: [method(rpcResult({}))], says: "answered with a result" },
    { about: "-32601", exchanges: [method(rpcError(-32601, "no", { status: 200 }))], says: "pass" },
    {
      about: "a wrong status",
      exchanges: [method(rpcError(-32601, "no", { status: 200 }))],
      view: { ...NEWER, target: OVER_HTTP },
      says: "status 200 in place of 404",
    },
    {
      about: "the right status",
      exchanges: [method(rpcError(-32601, "no", { status: 404 }))],
      view: { ...NEWER, target: OVER_HTTP },
      says: "pass",
    },
    { about: "stdio", exchanges: [method(rpcError(-32601, "no"))], view: NEWER, says: "pass" },
    NOTHING,
  ],
  "invalid-params-code": [
    {
      about: "-32603",
      exchanges: [params(rpcError(-32603, "no"))],
      says: "A request with malformed parameters (name-5) is answered with -32603",
    },
    { about: "a code of an app", exchanges: [params(rpcError(5001, "no"))], says: "5001" },
    {
      about: "codes that blame the request",
      exchanges: [-32602, -32600, -32601].map((code) => params(rpcError(code, "no"))),
      says: "pass",
    },
    {
      about: "a missing capability",
      exchanges: [params(rpcError(-32603, "no"), "logging/setLevel")],
      view: { capabilities: { tools: {} } },
      says: "skipped",
    },
    { about: "a failed tool", exchanges: [params(toolFailure("no"))], says: "skipped" },
    NOTHING,
  ],
  "failure-machine-readable": [
    {
      about: "a sentence",
      exchanges: [valid(toolFailure("It is closed."))],
      says: "A valid call of find_item fails with a sentence only",
    },
    {
      about: "data of the protocol",
      exchanges: [
        valid(toolFailure("It is closed.", { _meta: { "io.modelcontextprotocol/serverInfo": { name: "x" } } })),
      ],
      says: "a sentence only",
    },
    {
      about: "data beside it",
      exchanges: [valid(toolFailure("It is closed.", { _meta: { "recourse/fault": { kind: "conflict" } } }))],
      says: "pass",
    },
    {
      about: "a code in the data",
      exchanges: [valid(toolFailure("It is closed.", { structuredContent: { error: { code: "closed" } } }))],
      says: "pass",
    },
    {
      about: "a code for each problem",
      exchanges: [valid(toolFailure("It is closed.", { structuredContent: { issues: [{ code: "closed" }] } }))],
      says: "pass",
    },
    {
      about: "an error member",
      exchanges: [valid(toolFailure("It is closed.", { error: { type: "closed" } }))],
      says: "pass",
    },
    { about: "JSON in the text", exchanges: [valid(toolFailure('{"code":"SCHEMA_NOT_FOUND"}'))], says: "pass" },
    {
      about: "prose in JSON",
      exchanges: [valid(toolFailure('{"reason":"it is closed today"}'))],
      says: "a sentence only",
    },
    { about: "an error", exchanges: [unknown(rpcError(-32602, "no"))], says: "skipped" },
    NOTHING,
  ],
  "message-says-something": [
    ...["", "undefined", "Error", "got [object Object]", "Error in httpTransport: ", "MCP error -32603: "].map(
      (text) => ({ about: JSON.stringify(text), exchanges: [unknown(rpcError(-32603, text))], says: "says nothing" }),
    ),
    { about: "an empty name that was sent", exchanges: [params(rpcError(-32602, "Unknown tool: "))], says: "pass" },
    { about: "a sentence", exchanges: [unknown(rpcError(-32602, "There is no such tool."))], says: "pass" },
    { about: "a body that is no JSON-RPC", exchanges: [unknown(bodyAnswer(403, ""))], says: "skipped" },
    { about: "a failed tool without text", exchanges: [valid(toolFailure(""))], says: "pass" },
    NOTHING,
  ],
  "message-sentence": [
    {
      about: "issues",
      exchanges: [
        valid(toolFailure('MCP error -32602: Invalid arguments for tool x: [\n  {\n    "code": "invalid_type" }]')),
      ],
      says: "a list of problems in JSON",
    },
    {
      about: "issues as a message",
      exchanges: [params(rpcError(-32603, '[\n  {\n    "expected": "object" }]'))],
      says: "a list of problems in JSON",
    },
    {
      about: "a tool that speaks JSON",
      exchanges: [valid(toolFailure('{"code":"x","message":"closed"}'))],
      says: "pass",
    },
    { about: "a sentence", exchanges: [unknown(rpcError(-32602, "items[0] must be a string"))], says: "pass" },
    NOTHING,
  ],
  "message-prefix": [
    {
      about: "a prefix",
      exchanges: [unknown(rpcError(-32602, "MCP error -32602: Tool x not found"))],
      says: 'begins with its code: "MCP error -32602',
    },
    {
      about: "a failed tool",
      exchanges: [unknown(toolFailure("MCP error -32602: Tool x not found"))],
      says: "begins with its code",
    },
    { about: "a sentence", exchanges: [unknown(rpcError(-32602, "The MCP error -32602: see the docs"))], says: "pass" },
    NOTHING,
  ],
  "unknown-tool-suggests": [
    {
      about: "no name",
      exchanges: [misspelt(rpcError(-32602, "Unknown tool find_iten"))],
      says: "A call of find_item with one letter wrong is refused without naming the real tool.",
    },
    { about: "the name", exchanges: [misspelt(rpcError(-32602, "Did you mean find_item?"))], says: "pass" },
    {
      about: "the name in the data",
      exchanges: [misspelt(rpcError(-32602, "no", { data: { nearest: ["find_item"] } }))],
      says: "pass",
    },
    { about: "no permission", exchanges: [misspelt(rpcError(-32600, "no", { status: 403 }))], says: "skipped" },
    { about: "a success", exchanges: [misspelt(toolSuccess("fine"))], says: "skipped" },
    NOTHING,
  ],
};

describe.each(Object.entries(CASES))("%s", (id, cases) => {
  it.each(cases)("says of $about: $says", (one) => {
    expect(saysOf(id, one)).toContain(one.says);
  });
});
