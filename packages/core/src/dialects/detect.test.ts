import { globSync, readFileSync } from "node:fs";
import { ProtocolError, SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import { McpError } from "@modelcontextprotocol/sdk/types.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as faults from "../reasons/index.ts";
import { detectInBody } from "./detect.ts";
import { mayBeFailure } from "./envelope.ts";
import * as dialects from "./index.ts";

const { core, tool } = faults;
const { detect } = dialects;
const rpc = (code: number, message: string, data?: unknown) => ({
  jsonrpc: "2.0",
  id: 1,
  error: { code, message, ...(data !== undefined && { data }) },
});
const failedWith = (text: string, more: object = {}) => ({
  result: { content: [{ type: "text", text }], isError: true, ...more },
});
const detected = (wire: unknown, context = {}) => {
  const found = detect(wire, context);
  return found && [found.dialect, found.fault.reason, found.basis];
};

const problem = {
  type: "urn:x",
  title: "Not Found",
  status: 404,
  detail: "No rule",
  error_code: "not_found",
  retryable: false,
};

describe("a fault that a guarded server added to a returned sentence", () => {
  const returned = (text: string, more: object = {}) => {
    const quote = { text, from: "thrown" } as const;
    const fault = tool.failed.fault({ tool: "pay" }, { quote, effect: "none", basis: "mapped", textPolicy: "checked" });
    return failedWith(text, { _meta: { "recourse/fault": fault }, ...more });
  };

  it("does not hide what the sentence, or another form, says", () => {
    expect(detected(returned("Insufficient funds."))).toEqual(["mcp", "tool/failed", "mapped"]);
    expect(detect(returned("The table orders does not exist."))?.fault).toMatchObject({
      reason: "core/not_found",
      basis: "guessed",
      effect: "none",
    });
    const error = { code: -32200, message: "Not Found", data: problem };
    expect(detected(returned("Nothing there.", { error }))).toEqual(["closient", "core/not_found", "mapped"]);
  });

  it("is read where the text is its rendering", () => {
    const fault = tool.failed.fault({}, { quote: { text: "The table orders does not exist.", from: "peer" } });
    const found = detect({ result: dialects.mcp.encode(fault) });
    expect(found?.fault.reason).not.toBe("core/not_found");
  });
});

describe("the most certain reading wins", () => {
  it.each<[string, unknown, readonly string[]]>([
    ["a fault in a result", { result: dialects.mcp.encode(core.conflict.fault()) }, []],
    [
      "a fault in an error",
      { error: { code: -32603, message: "x", data: { "recourse/fault": core.conflict.fault() } } },
      ["mcp", "core/conflict", "stated"],
    ],
    [
      "Closient in a result",
      { result: { error: { code: -32200, message: "Not Found", data: problem } } },
      ["closient", "core/not_found", "mapped"],
    ],
    ["Closient over REST", { status: 404, headers: {}, body: problem }, ["closient", "core/not_found", "mapped"]],
    [
      "onX in a result",
      { result: { error: { code: 2002, message: "Missing", retryable: false, details: { field: "a" } } } },
      ["onx", "core/missing_field", "mapped"],
    ],
    [
      "qaqnuz, the envelope",
      { error_class: "terminal", sanitized_error: "No" },
      ["qaqnuz", "core/precondition_failed", "mapped"],
    ],
    [
      "qaqnuz in _meta",
      failedWith("No", { _meta: { "recourse/error_class": "validation" } }),
      ["qaqnuz", "core/validation_failed", "mapped"],
    ],
    [
      "Platica, a body",
      failedWith("x", { structuredContent: { code: 404, error: "nope" } }),
      ["platica", "core/not_found", "mapped"],
    ],
    [
      "Platica, a missing header",
      rpc(-32001, "Unauthorized: missing or invalid Authorization header. Use Bearer pl_key_..."),
      ["platica", "auth/header_invalid", "mapped"],
    ],
    [
      "Platica, a method other than POST",
      rpc(-32000, "The server only accepts POST."),
      ["platica", "protocol/http_method", "mapped"],
    ],
    [
      "Platica's code with other words",
      rpc(-32001, "Session not found"),
      ["sdk", "protocol/session_not_found", "mapped"],
    ],
    ["Platica's code without words", rpc(-32001, "Unauthorized"), ["mcp", "core/unrecognised", "mapped"]],
    ["erlmcp by code and message", rpc(-32032, "Tool execution timeout"), ["erlmcp", "tool/timeout", "mapped"]],
    [
      "SDK version 1's server",
      failedWith("MCP error -32602: Tool nope not found"),
      ["sdk", "tool/not_found", "mapped"],
    ],
    ["SDK version 2's server", rpc(-32602, "Tool nope not found"), ["sdk", "tool/not_found", "mapped"]],
    ["FastMCP", failedWith("Error calling tool 'x': it broke"), ["fastmcp", "tool/failed", "mapped"]],
    ["the protocol's codes", rpc(-32601, "Method not found"), ["mcp", "protocol/method_not_found", "mapped"]],
    [
      "the protocol's codes on a status",
      { status: 404, headers: {}, body: rpc(-32601, "Method not found") },
      ["mcp", "protocol/method_not_found", "mapped"],
    ],
    [
      "a missing resource of an older revision",
      rpc(-32002, "Resource not found", { uri: "res://a" }),
      ["mcp", "resource/not_found", "mapped"],
    ],
    ["a text with a known phrase", failedWith("Rate limit reached"), ["text", "core/rate_limited", "guessed"]],
    ["the SDK's sentence without its code", failedWith("Tool hammer not found"), ["sdk", "tool/not_found", "guessed"]],
    ["a text without a known phrase", failedWith("It broke"), ["mcp", "tool/failed", "mapped"]],
  ])("%s", (_, wire, expected) => {
    if (expected.length > 0) expect(detected(wire)).toEqual(expected);
    else expect(detect((wire as { result: unknown }).result)).toMatchObject({ dialect: "mcp", basis: "stated" });
  });

  it("reads errors that a program caught", () => {
    expect(detected(new SdkError(SdkErrorCode.NotConnected, "x"))).toEqual([
      "sdk",
      "transport/not_connected",
      "mapped",
    ]);
    expect(detected(new ProtocolError(-32601, "x"))?.[1]).toBe("protocol/method_not_found");
    expect(detected(new McpError(-32200, "Not Found", problem))).toEqual(["closient", "core/not_found", "mapped"]);
    expect(detected(new McpError(-32032, "Tool execution timeout"))?.[0]).toBe("erlmcp");
    const whole = tool.timeout.fault({ tool: "x" });
    expect(detect(new ProtocolError(-32603, "x", { "recourse/fault": whole }))?.fault).toEqual(whole);
  });

  it("reads HTTP replies", () => {
    expect(detected({ status: 429, headers: { "retry-after": "3" }, body: "slow" })?.[0]).toBe("http");
    expect(detect({ status: 429, headers: { "retry-after": "3" }, body: "slow" })?.fault.kind).toBe("rate_limited");
    expect(detect({ status: 503, headers: {}, body: rpc(-32050, "x") })?.dialect).toBe("http");
  });
});

describe("a code that means different things in different systems is not guessed", () => {
  it.each([
    -32000, -32001, -32002, -32003, -32004, -32010, -32021, -32022, -32034, -32042, -32100, -32200, -32300, 0, 404,
    2001, 4711,
  ])("%d", (code) => {
    for (const wire of [rpc(code, "Something else"), { code, message: "Something else" }]) {
      expect(detect(wire)).toMatchObject({
        dialect: "mcp",
        fault: { reason: "core/unrecognised", quote: { text: "Something else", from: "peer" } },
      });
    }
  });

  it("also inside a result", () => {
    expect(detected({ result: { error: { code: 2001, message: "Something else" } } })?.[1]).toBe("core/unrecognised");
    expect(detected({ result: { error: { code: -32200, message: "Something else" } } })?.[1]).toBe("core/unrecognised");
  });

  it("unless the method decides", () => {
    expect(detected(rpc(-32002, "Something else"), { method: "resources/read" })?.[1]).toBe("resource/not_found");
  });
});

it.each([
  [{ result: { content: [{ type: "text", text: "rate limit is 5" }] } }],
  [{ result: { valid: false } }],
  [{ status: 200, headers: {}, body: { result: { content: [] } } }],
  [{ jsonrpc: "2.0", method: "notifications/progress" }],
  [{ result: { resultType: "input_required", inputRequests: {} } }],
  [{ error_class: null }],
  [{}],
  [null],
  ["not found"],
  [new Error("anything")],
])("is undefined for a success and for unknown values: %j", (wire) => {
  expect(detect(wire)).toBeUndefined();
});

describe("over every wire of the conformance files", () => {
  const root = new URL("../../../../conformance/", import.meta.url).pathname;
  const files = globSync("*/*.json", { cwd: root }).filter((name) => !name.startsWith("facts/"));
  interface File {
    readonly dialect: string;
    readonly cases: readonly {
      readonly id: string;
      readonly wire: unknown;
      readonly context?: object;
      readonly fault: unknown;
    }[];
  }

  it.each(files)("%s: detect finds every failure that its dialect finds", (name) => {
    const { dialect, cases } = JSON.parse(readFileSync(`${root}/${name}`, "utf8")) as File;
    for (const { id, wire, context, fault } of cases) {
      const found = detect(wire, context);
      if (fault !== null) expect(found, `${dialect}/${id}`).toBeDefined();
      if (found?.dialect === dialect) expect(found.fault, `${dialect}/${id}`).toEqual(fault);
    }
  });
});

it.each([
  ["applied", "applied"],
  ["none", "possible"],
  ["odd", "possible"],
])("an unknown code with the effect %s is read as %s", (stated, effect) => {
  const found = detect({ code: -32034, message: "It was odd.", data: { tool: "calculate", effect: stated } });
  expect(found?.fault).toMatchObject({ reason: "core/unrecognised", effect });
});

describe("mayBeFailure", () => {
  it.each<[unknown]>([
    [{ isError: true }],
    [{ error: { code: -32200, message: "x" } }],
    [{ error_class: "terminal", sanitized_error: "x" }],
    [{ structuredContent: { error_class: "terminal" } }],
    [{ _meta: { "recourse/error_class": "terminal" } }],
    [{ structuredContent: { error: {} } }],
    [{ content: [{ type: "text", text: '{"error":{}}' }] }],
  ])("is true for %j", (result) => {
    expect(mayBeFailure(result)).toBe(true);
  });

  it.each<[unknown]>([
    [{ content: [] }],
    [{ isError: false, content: [] }],
    [{ error: null }],
    [{ structuredContent: null, _meta: null }],
    [{ structuredContent: { valid: false } }],
    [{ content: [{ type: "text", text: '{"valid":false}' }] }],
    [{ content: [{ type: "text", text: 'an "error"' }] }],
    ["isError"],
    [undefined],
    [null],
  ])("is false for %j", (result) => {
    expect(mayBeFailure(result)).toBe(false);
  });
});

it("never reads a lower effect than the sender states, whichever dialect recognises the sentence", () => {
  const error = { code: -32001, message: 'Not found: "word".', data: { effect: "applied" } };
  expect(detect({ jsonrpc: "2.0", id: 1, error })?.fault.effect).toBe("applied");
  const result = {
    isError: true,
    content: [{ type: "text", text: "Unknown tool: 'x'" }],
    _meta: { "recourse/effect": "applied" },
  };
  expect(detect({ jsonrpc: "2.0", id: 1, result })?.fault.effect).toBe("applied");
});

describe("a reply that only some readers are asked about reads like one that all are asked about", () => {
  const said = fc.oneof(
    fc.constantFrom(
      "The order 4711 was not found.",
      "MCP error -32602: Invalid params",
      "MCP error -32000: no",
      "Unknown tool: 'x'",
      "Error executing tool x: boom",
      "Input validation error: Invalid arguments for tool x",
      "1 validation error for call[x]\ncity\n  Missing required argument [type=missing_argument]",
      '{"error":{"code":404,"message":"x","retryable":false}}',
      '{"error_class":"terminal","sanitized_error":"x"}',
      '{"code":-32603,"message":"x"}',
      "<html>503</html>",
      "fetch failed",
      "",
    ),
    fc.string(),
  );
  const context = fc.record({
    method: fc.constantFrom("tools/call", "resources/read"),
    tool: fc.constantFrom("x", undefined),
  });
  // A member that no reader knows.
  const odd = { "x-odd": 1 };

  it("the sentence of a failed tool", () => {
    const block = fc.record({ type: fc.constantFrom("text", "image"), text: said });
    const result = fc.record(
      { content: fc.array(block, { maxLength: 2 }), isError: fc.constant(true), resultType: fc.constant("complete") },
      { requiredKeys: ["content", "isError"] },
    );
    fc.assert(
      fc.property(result, context, (one, about) => {
        const slow = detect({ ...one, ...odd }, about);
        expect(detect(one, about)).toEqual(slow);
        expect(detect({ jsonrpc: "2.0", id: 1, result: one }, about)).toEqual(slow);
        expect(slow).toBeDefined();
      }),
    );
  });

  it("the body of an HTTP reply", () => {
    fc.assert(
      fc.property(said, context, fc.constantFrom(400, 401, 404, 429, 500, 503), (body, about, status) => {
        const reply = { status, headers: {}, body };
        expect(detectInBody(reply, about)).toEqual(detectInBody({ ...reply, ...odd }, about));
        expect(detect(reply, about)).toEqual(detect({ ...reply, ...odd }, about));
      }),
    );
  });

  it("an error that is thrown with the members of a reply is still read by its name", () => {
    const thrown = { status: 503, headers: {}, body: "", name: "UnauthorizedError" };
    expect(detectInBody(thrown)?.fault.kind).toBe("unauthenticated");
    const classed = Object.assign(Object.create({ constructor: { name: "UnauthorizedError" } }), {
      status: 503,
      body: "",
    });
    expect(detectInBody(classed)?.fault.kind).toBe("unauthenticated");
  });
});
