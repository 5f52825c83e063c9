import { describe, expect, it } from "vitest";
import {
  basicAuthorization,
  encodeHeaderValue,
  headerIssues,
  paramIssues,
  prefersProblem,
  type Received,
  revisionFor,
} from "./headers.ts";
import { CLIENT_CAPABILITIES_KEY, VERSION_KEY } from "./names.ts";
import { LATEST_HANDSHAKE_REVISION, LATEST_REVISION } from "./revisions.ts";

it.each([
  [null, false],
  ["", false],
  ["*/*", false],
  ["application/json, text/event-stream", false],
  ["application/problem+json", true],
  ["APPLICATION/PROBLEM+JSON", true],
  ["application/problem+json, application/json", false],
  ["application/problem+json, application/json;q=0.9", true],
  ["application/problem+json;q=0.5, application/json;q=0.9", false],
  ["application/problem+json;q=0.5, application/json;q=0", true],
  ["application/problem+json, */*;q=0.1", true],
  ["application/problem+json;q=0", false],
  ["application/problem+json;q=nonsense", false],
  [`application/problem+json,${"a/b,".repeat(1_000)}`, false],
])("%j: %s", (accept, problem) => {
  expect(prefersProblem(accept)).toBe(problem);
});

const META = { [VERSION_KEY]: LATEST_REVISION, [CLIENT_CAPABILITIES_KEY]: {} };
const received = (headers: Record<string, string>, message?: unknown): Received => ({
  header: (name) => headers[name],
  message,
});
const call = (name: string, meta: object = META) => ({ method: "tools/call", params: { name, _meta: meta } });

describe("headerIssues", () => {
  const headers = { "mcp-protocol-version": LATEST_REVISION, "mcp-method": "tools/call" };

  it("finds none if the headers repeat the message, also in Base64", () => {
    expect(headerIssues(received({ ...headers, "mcp-name": "resolve" }, call("resolve")))).toEqual([]);
    expect(headerIssues(received({ ...headers, "mcp-name": "=?base64?w6k=?=" }, call("é")))).toEqual([]);
  });

  it("compares the id of a task with its name", () => {
    const get = { method: "tasks/get", params: { taskId: "t1", name: "other", _meta: META } };
    const own = { ...headers, "mcp-method": "tasks/get" };
    expect(headerIssues(received({ ...own, "mcp-name": "t1" }, get))).toEqual([]);
    expect(headerIssues(received({ ...own, "mcp-name": "other" }, get))).toHaveLength(1);
    expect(headerIssues(received(own, { ...get, method: "tasks/result" }))).toHaveLength(1);
  });

  it("finds headers that are missing or differ", () => {
    expect(headerIssues(received({ ...headers, "mcp-method": "tools/list" }, call("resolve")))).toEqual([
      { pointer: "", rule: "custom", expected: "header Mcp-Method as in the message" },
      { pointer: "", rule: "required", expected: "header Mcp-Name as in the message" },
    ]);
  });
});

it("paramIssues finds what a request has to state in _meta, if its revision asks for it", () => {
  expect(paramIssues(received({}, call("resolve")))).toEqual([]);
  expect(
    paramIssues(received({}, call("resolve", { [VERSION_KEY]: LATEST_REVISION, [CLIENT_CAPABILITIES_KEY]: 1 }))),
  ).toEqual([{ pointer: "/_meta", rule: "type", expected: `${CLIENT_CAPABILITIES_KEY}: object` }]);
  expect(paramIssues(received({ "mcp-protocol-version": LATEST_HANDSHAKE_REVISION }, call("resolve", {})))).toEqual([]);
});

it.each([
  [{ "mcp-protocol-version": "2025-06-18" }, undefined, "2025-06-18"],
  [{ "mcp-protocol-version": "2099-01-01" }, undefined, LATEST_REVISION],
  [{ "mcp-protocol-version": "2024-11-05" }, undefined, LATEST_HANDSHAKE_REVISION],
  [{}, undefined, LATEST_HANDSHAKE_REVISION],
  [{}, call("x"), LATEST_REVISION],
  [{}, call("x", { [VERSION_KEY]: "draft" }), LATEST_REVISION],
])("revisionFor %j and %j is %s", (headers, message, revision) => {
  expect(revisionFor(received(headers, message))).toBe(revision);
});

it.each([
  ["search", "search"],
  ["file:///a b", "file:///a b"],
  ["a\tb", "a\tb"],
  ["", "=?base64??="],
  [" a", "=?base64?IGE=?="],
  ["a ", "=?base64?YSA=?="],
  ["grüße", "=?base64?Z3LDvMOfZQ==?="],
  ["a\r\nx-evil: 1", "=?base64?YQ0KeC1ldmlsOiAx?="],
  ["=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="],
])("%j is written as %s", (text, written) => {
  expect(encodeHeaderValue(text)).toBe(written);
});

it("writes a client and its secret as servers read them, whether or not they decode", () => {
  expect(basicAuthorization("shop", "s3cret")).toBe("Basic c2hvcDpzM2NyZXQ=");
  expect(basicAuthorization("a:b", "ü")).toBe(`Basic ${btoa("a%3Ab:%C3%BC")}`);
});
