import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError, UnauthorizedError } from "@modelcontextprotocol/client";
import { UnauthorizedError as OldUnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { erlmcp } from "../dialects/erlmcp/dialect.ts";
import { http } from "../dialects/http/dialect.ts";
import { mcp } from "../dialects/mcp/dialect.ts";
import { qaqnuz } from "../dialects/qaqnuz/dialect.ts";
import { isFault } from "../fault/read.ts";
import { conflict } from "../reasons/library/core.ts";
import { type AttemptContext, readAttemptFailure, readHttpFailure, readThrownError } from "./read-reply.ts";
import { type AttemptEnding, findHttpFailure } from "./send.ts";
import type { ExchangeRecord } from "./transport/types.ts";

describe("read failure", () => {
  const CONTEXT: AttemptContext = { session: false, limitMs: 30_000.4 };
  const at = (phase: ExchangeRecord["phase"], exchanges = 1): ExchangeRecord => ({ phase, exchanges, startedMs: 0 });
  const read = (ending: AttemptEnding, more: Partial<AttemptContext> = {}) =>
    readAttemptFailure(ending, { ...CONTEXT, ...more });

  it("a timeout tells how long was waited, and whether anything was sent", () => {
    expect(read({ how: "late" })).toMatchObject({
      reason: "core/timeout",
      params: { timeoutMs: 30_000 },
      effect: "possible",
      origin: { layer: "client" },
    });
    expect(read({ how: "late" }, { record: at("sent") })).toMatchObject({ reason: "core/timeout", effect: "possible" });
    expect(read({ how: "late" }, { record: at("connect") })).toMatchObject({
      reason: "transport/unreachable",
      effect: "none",
    });
  });

  it("a fault that the server states is taken whole, whatever dialect it is known for", () => {
    const { result } = { result: mcp.encode(conflict.fault({}, { effect: "applied" }), { method: "tools/call" }) };
    const answer = (result as { result?: unknown }).result ?? result;
    expect(read({ how: "answered", result: answer }, { dialect: qaqnuz })).toMatchObject({
      reason: "core/conflict",
      effect: "applied",
      basis: "stated",
    });
  });

  it("what fetch rejected with is a failed connection, even where the runtime says no more", () => {
    const error = new Error("internal error; reference = ld5ccr3kgp8ilp1rlsp67uvm");
    expect(read({ how: "threw", error }, { record: { ...at("sent"), error } })).toMatchObject({
      reason: "transport/failed",
      effect: "possible",
      origin: { layer: "transport" },
    });
    expect(read({ how: "threw", error }, { record: at("sent") })).toMatchObject({ reason: "core/unrecognised" });
  });

  it("an answer that broke off is a lost connection, and one that says nothing is no answer of the protocol", () => {
    const begun = { ...at("body"), status: 200 };
    for (const error of [new Error("Network connection lost."), new Error("of a runtime that nobody knows")]) {
      const fault = read({ how: "threw", error }, { record: { ...begun, error } });
      expect(fault).toMatchObject({ reason: "transport/connection_lost", effect: "possible" });
    }
    const error = new Error("Network connection lost.");
    expect(read({ how: "threw", error }, { record: begun })).toMatchObject({ reason: "protocol/invalid_result" });
  });
});

describe("read http", () => {
  const CONTEXT: AttemptContext = { session: false, limitMs: 1_000, now: Date.parse("2026-01-02T03:04:05Z") };
  const rpc = (code: number, message: string) => JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: 1 });
  const read = (
    status: number,
    how: { readonly headers?: Record<string, string>; readonly body?: string; readonly session?: boolean } = {},
  ) => {
    const { headers = {}, body, session = false } = how;
    return readHttpFailure({ status, headers, body }, { ...CONTEXT, session });
  };

  describe("the answer behind an error", () => {
    it("is what was watched", () => {
      const record: ExchangeRecord = {
        phase: "ended",
        exchanges: 1,
        startedMs: 0,
        status: 503,
        headers: { "retry-after": "1" },
      };
      expect(findHttpFailure(new Error("x"), record)).toEqual({
        status: 503,
        headers: { "retry-after": "1" },
        body: undefined,
      });
    });

    it("or as much of it as the errors of either SDK tell", () => {
      const current = new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, "x", {
        status: 404,
        text: "{}",
      } as never);
      expect(findHttpFailure(current, undefined)).toEqual({ status: 404, headers: {}, body: "{}" });
      const old = new StreamableHTTPError(404, `Error POSTing to endpoint: ${rpc(-32001, "Session not found")}`);
      expect(findHttpFailure(old, undefined)).toEqual({
        status: 404,
        headers: {},
        body: rpc(-32001, "Session not found"),
      });
    });

    it("but nothing for a success, another error, or an impossible status", () => {
      const record: ExchangeRecord = { phase: "ended", exchanges: 1, startedMs: 0, status: 200 };
      expect(findHttpFailure(new Error("x"), record)).toBeUndefined();
      expect(findHttpFailure(new StreamableHTTPError(-1, "Unexpected content type"), undefined)).toBeUndefined();
      expect(findHttpFailure(undefined, undefined)).toBeUndefined();
    });
  });

  it.each<[number, boolean, string, string]>([
    [400, false, "protocol/bad_request", "none"],
    [401, false, "auth/unauthorized", "none"],
    [403, false, "auth/not_authorized", "none"],
    [404, false, "core/misconfigured", "none"],
    [404, true, "protocol/session_not_found", "none"],
    [405, false, "protocol/http_method", "none"],
    [413, false, "content/message_too_large", "none"],
    [418, false, "transport/http_failed", "possible"],
    [429, false, "core/rate_limited", "none"],
    [500, false, "transport/http_failed", "possible"],
    [502, false, "transport/http_failed", "possible"],
    [503, false, "core/unavailable", "possible"],
    [504, false, "core/timeout", "possible"],
  ])("a bare %d (session: %s) is %s, effect %s", (status, session, reason, effect) => {
    expect(read(status, { session })).toMatchObject({
      reason,
      effect,
      basis: "mapped",
      origin: { layer: "transport" },
    });
  });

  describe("what the body says", () => {
    it("a whole fault counts most", () => {
      const { status, headers, body } = http.encode(conflict.fault({}, { effect: "applied" }));
      const fault = read(status, { headers: { ...headers }, body: JSON.stringify(body) });
      expect(fault).toMatchObject({ reason: "core/conflict", effect: "applied", basis: "stated" });
    });

    it("an error of the protocol says more than its status", () => {
      expect(read(404, { body: rpc(-32601, "Method not found") }).reason).toBe("protocol/method_not_found");
      expect(read(404, { body: rpc(-32001, "Session not found") }).reason).toBe("protocol/session_not_found");
      expect(read(400, { body: rpc(-32020, "Header mismatch") }).reason).toBe("protocol/header_mismatch");
    });

    it("one that says nothing says less", () => {
      expect(read(429, { body: rpc(-32603, "Internal error"), headers: { "retry-after": "1" } })).toMatchObject({
        reason: "core/rate_limited",
        retry: { afterMs: 1_000 },
      });
      expect(read(503, { body: rpc(-32000, "Busy") }).reason).toBe("core/unavailable");
    });
  });
});

describe("read thrown", () => {
  const CONTEXT: AttemptContext = { session: false, limitMs: 1_000 };
  const seenAt = (phase: ExchangeRecord["phase"], more: Partial<ExchangeRecord> = {}): ExchangeRecord => ({
    phase,
    exchanges: 1,
    startedMs: 0,
    ...more,
  });
  const read = (error: unknown, more: Partial<AttemptContext> = {}) => readThrownError(error, { ...CONTEXT, ...more });
  const network = (code: string) => new TypeError("fetch failed", { cause: Object.assign(new Error(), { code }) });
  const closed = [
    new SdkError(SdkErrorCode.ConnectionClosed, "Connection closed"),
    new McpError(ErrorCode.ConnectionClosed, "Connection closed"),
  ];

  describe("what the peer stated counts most", () => {
    it("a whole fault in an error", () => {
      const stated = conflict.fault({}, { effect: "applied" });
      const error = new ProtocolError(-32603, "x", { "recourse/fault": stated });
      expect(read(error, { record: seenAt("ended", { status: 503 }) })).toEqual(stated);
    });

    it("a code in the dialect that the server is known for, but never one of the SDK's own", () => {
      const named = new McpError(-32001, "Something of ours");
      expect(read(named)).toMatchObject({ reason: "core/unrecognised" });
      expect(read(named, { dialect: erlmcp })).toMatchObject({ reason: "resource/not_found" });
      const late = new McpError(ErrorCode.RequestTimeout, "Request timed out", { timeout: 5 });
      expect(read(late, { dialect: erlmcp })).toMatchObject({ reason: "core/timeout", origin: { layer: "client" } });
    });
  });

  it("then what HTTP says, before the class of the error", () => {
    const record = seenAt("ended", { status: 429, headers: { "retry-after": "7" } });
    expect(read(new Error("anything"), { record })).toMatchObject({
      reason: "core/rate_limited",
      retry: { allowed: true, afterMs: 7_000 },
    });
  });

  it("but a sign-in that the SDK began is to be ended, whatever the refusal was", () => {
    const record = seenAt("ended", {
      status: 403,
      headers: { "www-authenticate": 'Bearer error="insufficient_scope"' },
    });
    for (const error of [new UnauthorizedError("x"), new OldUnauthorizedError("x")]) {
      expect(read(error, { record })).toMatchObject({
        reason: "auth/unauthorized",
        recourse: [{ do: "authenticate" }],
      });
    }
  });

  describe("how far a request came", () => {
    it.each([
      ["ECONNREFUSED", "transport/unreachable", "none"],
      ["ENOTFOUND", "transport/unreachable", "none"],
      ["UND_ERR_CONNECT_TIMEOUT", "transport/unreachable", "none"],
      ["ECONNRESET", "transport/connection_lost", "possible"],
      ["UND_ERR_SOCKET", "transport/connection_lost", "possible"],
      ["UND_ERR_HEADERS_TIMEOUT", "core/timeout", "possible"],
      ["E_NEVER_HEARD_OF", "transport/failed", "possible"],
    ])("%s is %s, effect %s, without a watch", (code, reason, effect) => {
      expect(read(network(code))).toMatchObject({ reason, effect, origin: { layer: "transport" } });
    });

    it("a request that the SDK repeated may have been received before", () => {
      const refused = network("ECONNREFUSED");
      expect(read(refused, { record: seenAt("connect") })).toMatchObject({ effect: "none" });
      expect(read(refused, { record: seenAt("connect", { exchanges: 2 }) })).toMatchObject({
        reason: "transport/connection_lost",
        effect: "possible",
      });
    });

    it("a timeout of the SDK while nothing had left", () => {
      const late = new SdkError(SdkErrorCode.RequestTimeout, "Request timed out", { timeout: 5 });
      expect(read(late, { record: seenAt("sent") })).toMatchObject({ reason: "core/timeout", effect: "possible" });
      expect(read(late, { record: seenAt("connect") })).toMatchObject({
        reason: "transport/unreachable",
        effect: "none",
      });
      expect(read(late, { record: seenAt("connect", { exchanges: 2 }) })).toMatchObject({ effect: "possible" });
    });
  });

  it("a connection that closed because the process ended tells with which code", () => {
    for (const error of closed) {
      expect(read(error)).toMatchObject({ reason: "transport/connection_lost", effect: "possible" });
      const stderr = ["secret of the operator"];
      const fault = read(error, { connection: { stderr, exit: { code: 9, signal: null } } });
      expect(fault).toMatchObject({ reason: "transport/exited", params: { exitCode: 9 }, effect: "possible" });
      expect(JSON.stringify(fault)).not.toContain("operator");
      const killed = read(error, { connection: { stderr: [], exit: { code: null, signal: "SIGKILL" } } });
      expect(killed.message).toBe("The server's process ended before the answer came.");
    }
  });

  it("an answer outside of the protocol is the server's failure, not the connection's", () => {
    const error = new TypeError("fetch failed");
    expect(read(error, { record: seenAt("ended", { status: 200 }) })).toMatchObject({
      reason: "protocol/invalid_result",
    });
  });
});

const hostile = fc.constantFrom(
  new Proxy({}, { get: () => expect.unreachable(), getOwnPropertyDescriptor: () => expect.unreachable() }),
  Object.defineProperty(new Error("x"), "code", { get: () => expect.unreachable() }),
  Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } }),
  Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNRESET" } }),
  Object.assign(new Error("MCP error -32000: Connection closed"), { name: "McpError", code: -32000 }),
);
const value = fc.oneof(fc.anything({ withNullPrototype: true, withBigInt: true }), hostile);
const phase = fc.constantFrom<ExchangeRecord["phase"]>("connect", "sent", "headers", "body", "ended");
const record = fc.record(
  {
    phase,
    exchanges: fc.integer({ min: 1, max: 3 }),
    startedMs: fc.constant(0),
    status: fc.integer({ min: 100, max: 599 }),
    headers: fc.dictionary(fc.constantFrom("retry-after", "content-type", "www-authenticate"), fc.string()),
    body: fc.oneof(fc.string(), fc.json()),
    error: value,
  },
  { requiredKeys: ["phase", "exchanges", "startedMs"] },
);
const context: fc.Arbitrary<AttemptContext> = fc.record({
  session: fc.boolean(),
  limitMs: fc.double({ min: 0, noNaN: true }),
  record: fc.option(record, { nil: undefined }),
});

it("makes a fault of anything that was thrown, and never throws itself", () => {
  fc.assert(
    fc.property(value, context, (error, facts) => {
      expect(isFault(readAttemptFailure({ how: "threw", error }, facts))).toBe(true);
    }),
    { numRuns: runs() },
  );
});

it("rules out an effect only where nothing can have been received", () => {
  fc.assert(
    fc.property(fc.constantFrom("late", "aborted"), context, (how, facts) => {
      const neverLeft = facts.record?.phase === "connect" && facts.record.exchanges === 1;
      expect(readAttemptFailure({ how }, facts)?.effect).toBe(neverLeft ? "none" : "possible");
    }),
    { numRuns: runs() },
  );
});

it("does not claim that nothing happened when nobody knows what was thrown", () => {
  const unknown = fc.oneof(fc.string(), fc.integer(), fc.constant(undefined), fc.constant(new Error("of a transport")));
  fc.assert(
    fc.property(unknown, fc.boolean(), (error, session) => {
      expect(readAttemptFailure({ how: "threw", error }, { session, limitMs: 1 })).toMatchObject({
        effect: "possible",
        kind: "unknown",
      });
    }),
    { numRuns: runs() },
  );
});
