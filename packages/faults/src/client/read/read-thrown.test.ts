import { ProtocolError, SdkError, SdkErrorCode, UnauthorizedError } from "@modelcontextprotocol/client";
import { UnauthorizedError as OldUnauthorizedError } from "@modelcontextprotocol/sdk/client/auth.js";
import { ErrorCode, McpError } from "@modelcontextprotocol/sdk/types.js";
import { describe, expect, it } from "vitest";
import { erlmcp } from "../../dialects/erlmcp/dialect.ts";
import { conflict } from "../../reasons/library/core.ts";
import type { ExchangeRecord } from "../transport/types.ts";
import type { ReadContext } from "./context.ts";
import { readThrown } from "./read-thrown.ts";

const CONTEXT: ReadContext = { session: false, limitMs: 1_000 };
const seenAt = (phase: ExchangeRecord["phase"], more: Partial<ExchangeRecord> = {}): ExchangeRecord => ({
  phase,
  exchanges: 1,
  startedMs: 0,
  ...more,
});
const read = (error: unknown, more: Partial<ReadContext> = {}) => readThrown(error, { ...CONTEXT, ...more });
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
  const record = seenAt("ended", { status: 403, headers: { "www-authenticate": 'Bearer error="insufficient_scope"' } });
  for (const error of [new UnauthorizedError("x"), new OldUnauthorizedError("x")]) {
    expect(read(error, { record })).toMatchObject({ reason: "auth/unauthorized", recourse: [{ do: "authenticate" }] });
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

it.each([[new Error("of some other transport")], ["a string"], [undefined], [null], [{ code: {} }]])(
  "nothing is known about %j, so something may have happened",
  (thrown) => {
    expect(read(thrown)).toMatchObject({ kind: "unknown", effect: "possible", origin: { layer: "client" } });
  },
);
