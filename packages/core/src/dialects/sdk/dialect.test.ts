import * as client from "@modelcontextprotocol/client";
import { SseError as OldSseError } from "@modelcontextprotocol/sdk/client/sse.js";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { KINDS } from "../../fault/kinds.ts";
import { core } from "../../reasons/index.ts";
import { sdk } from "./dialect.ts";
import { SDK_LOCAL_ERRORS } from "./errors.ts";

const read = (wire: unknown) => sdk.decode(wire);
const reasonOf = (wire: unknown) => read(wire)?.reason;
const failedWith = (text: string) => ({ result: { content: [{ type: "text", text }], isError: true } });

const STATUS_PINS = [
  [400, "protocol/bad_request"],
  [401, "auth/unauthorized"],
  [403, "auth/not_authorized"],
  [404, "transport/http_failed"],
  [405, "protocol/http_method"],
  [406, "protocol/bad_request"],
  [408, "core/timeout"],
  [413, "content/message_too_large"],
  [415, "protocol/bad_request"],
  [429, "core/rate_limited"],
  [500, "transport/http_failed"],
  [502, "transport/http_failed"],
  [503, "core/unavailable"],
  [504, "core/timeout"],
] as const;

describe("version 2, caught", () => {
  it("has a row for every code of the SDK and no other", () => {
    const codes = Object.values(client.SdkErrorCode).filter((code) => code !== "REQUEST_TIMEOUT");
    expect(Object.keys(SDK_LOCAL_ERRORS).toSorted()).toEqual(codes.toSorted());
  });

  it("reads a timeout by its limit, and an abort without one", () => {
    const code = client.SdkErrorCode.RequestTimeout;
    expect(read(new client.SdkError(code, "x", { timeout: 5_000 }))).toMatchObject({
      reason: "core/timeout",
      params: { timeoutMs: 5_000 },
      effect: "possible",
    });
    expect(reasonOf(new client.SdkError(code, "x"))).toBe("core/cancelled");
  });

  it.each(STATUS_PINS)("SdkHttpError %d is %s", (status, reason) => {
    const data = { status, text: "<h1>Not for you</h1>" };
    const fault = read(new client.SdkHttpError(client.SdkErrorCode.ClientHttpNotImplemented, "x", data));
    expect(fault).toMatchObject({ reason, origin: { layer: "transport" } });
    expect(JSON.stringify(fault)).not.toContain("Not for you");
  });

  it("finds the JSON-RPC error in the body of an HTTP failure", () => {
    const text = JSON.stringify({ jsonrpc: "2.0", id: 1, error: { code: -32601, message: "Method not found" } });
    const code = client.SdkErrorCode.ClientHttpNotImplemented;
    expect(reasonOf(new client.SdkHttpError(code, "x", { status: 404, text }))).toBe("protocol/method_not_found");
  });

  it("knows the subclasses of ProtocolError", () => {
    expect(read(new client.ResourceNotFoundError("res://none"))).toMatchObject({
      reason: "resource/not_found",
      params: { uri: "res://none" },
    });
    const requiredCapabilities = { elicitation: { form: {} }, sampling: {} };
    expect(read(new client.MissingRequiredClientCapabilityError({ requiredCapabilities }))).toMatchObject({
      reason: "protocol/missing_client_capability",
      params: { capabilities: ["elicitation/form", "sampling"] },
    });
    // A guarded server sends our own sentence, and the SDK keeps only the data of the code: a quotation would repeat it.
    const ours =
      'The client did not declare the capability that this request needs: "sampling". Do not repeat this call.';
    const named = { requiredCapabilities: { sampling: {} } };
    expect(read(new client.MissingRequiredClientCapabilityError(named, ours))).not.toHaveProperty("quote");
    expect(reasonOf(new client.UnsupportedProtocolVersionError({ supported: ["a"], requested: "b" }))).toBe(
      "protocol/version_unsupported",
    );
    expect(reasonOf(new client.UrlElicitationRequiredError([]))).toBe("elicitation/url_required");
    expect(read(new client.ProtocolError(-32603, "disk gone"))).toMatchObject({
      reason: "core/internal",
      quote: { text: "disk gone", from: "peer" },
    });
  });

  it("takes the fault in the data of an error", () => {
    const fault = core.conflict.fault({}, { effect: "applied" });
    expect(read(new client.ProtocolError(-32603, "x", { "recourse/fault": fault }))).toEqual(fault);
  });

  it("knows refused credentials and missing scopes", () => {
    expect(reasonOf(new client.UnauthorizedError("x"))).toBe("auth/unauthorized");
    const error = new client.InsufficientScopeError({ requiredScope: "a:read a:write" } as never);
    expect(read(error)).toMatchObject({ reason: "auth/insufficient_scope", params: { scopes: ["a:read", "a:write"] } });
  });
});

describe("version 1, caught", () => {
  it.each(STATUS_PINS)("StreamableHTTPError and SseError %d are %s", (status, reason) => {
    expect(reasonOf(new StreamableHTTPError(status, "Error POSTing to endpoint: <html>"))).toBe(reason);
    expect(reasonOf(new OldSseError(status, "x", {} as never))).toBe(reason);
  });

  it("finds the JSON-RPC error in the message of an HTTP failure", () => {
    const text = JSON.stringify({ jsonrpc: "2.0", error: { code: -32001, message: "Session not found" }, id: null });
    expect(read(new StreamableHTTPError(404, `Error POSTing to endpoint: ${text}`))).toMatchObject({
      reason: "protocol/session_not_found",
      effect: "none",
    });
  });

  it.each([[undefined], [-1], [0]])("takes status %s for a failed connection", (status) => {
    expect(reasonOf(new StreamableHTTPError(status, "x"))).toBe("transport/failed");
  });

  it("quotes the server without the prefixes", () => {
    expect(read(new McpError(-32603, "MCP error -32603: disk gone"))?.quote?.text).toBe("disk gone");
  });
});

describe("on the wire", () => {
  it.each(["The printer is on fire", "MCP error: x", " MCP error -32602: x", ""])("is undefined for %j", (text) => {
    expect(read(failedWith(text))).toBeUndefined();
  });

  it("turns the validator's JSON into issues", () => {
    const problems = [
      {
        code: "invalid_type",
        expected: "string",
        path: ["params", "cursor"],
        message: "expected string, received number",
      },
      {
        code: "invalid_type",
        expected: "string",
        path: ["params", "name"],
        message: "expected string, received undefined",
      },
      { code: "unrecognized_keys", path: ["params", "arguments", "a/b"], message: "x" },
      { code: "strange", path: ["params"], message: "x" },
      {
        code: "too_small",
        origin: "string",
        path: ["params", "name"],
        message: "Too small: expected string to have >=1",
      },
      { code: "invalid_union", path: ["params", "ref"], message: "Invalid input" },
      { code: "not_finite", path: ["params", "level"], message: "Number must be finite" },
    ];
    const error = { code: -32603, message: JSON.stringify(problems, null, 2) };
    expect(read({ error })?.issues).toEqual([
      { pointer: "/cursor", rule: "type", expected: "string" },
      { pointer: "/name", rule: "required", expected: "string" },
      { pointer: "", rule: "unknown" },
      { pointer: "", rule: "custom" },
      { pointer: "/name", rule: "length", expected: "string to have >=1", code: "too_small" },
      { pointer: "/ref", rule: "type", code: "invalid_union" },
      { pointer: "/level", rule: "range", expected: "finite" },
    ]);
  });

  it("is undefined for a success and for an unknown error", () => {
    expect(read({ result: { content: [] } })).toBeUndefined();
    expect(read({ error: { code: -32602, message: "Wrong colour" } })).toBeUndefined();
    expect(read(null)).toBeUndefined();
  });
});

it("never offers to repeat a request that may have arrived", () => {
  const fault = read({ name: "TypeError", message: "fetch failed", cause: { code: "ECONNRESET" } });
  expect(fault?.recourse[0].do).toBe("refresh");
  expect(KINDS.unavailable.retryWhen).toBe("if_safe");
});
