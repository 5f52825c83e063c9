import { SdkErrorCode, SdkHttpError } from "@modelcontextprotocol/client";
import { StreamableHTTPError } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { describe, expect, it } from "vitest";
import { http } from "../../dialects/http/dialect.ts";
import { conflict } from "../../reasons/library/core.ts";
import type { ExchangeRecord } from "../transport/types.ts";
import type { ReadContext } from "./context.ts";
import { httpFailureOf, readHttpFailure } from "./read-http.ts";

const CONTEXT: ReadContext = { session: false, limitMs: 1_000, now: Date.parse("2026-01-02T03:04:05Z") };
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
    expect(httpFailureOf(new Error("x"), record)).toEqual({
      status: 503,
      headers: { "retry-after": "1" },
      body: undefined,
    });
  });

  it("or as much of it as the errors of either SDK tell", () => {
    const current = new SdkHttpError(SdkErrorCode.ClientHttpNotImplemented, "x", { status: 404, text: "{}" } as never);
    expect(httpFailureOf(current, undefined)).toEqual({ status: 404, headers: {}, body: "{}" });
    const old = new StreamableHTTPError(404, `Error POSTing to endpoint: ${rpc(-32001, "Session not found")}`);
    expect(httpFailureOf(old, undefined)).toEqual({ status: 404, headers: {}, body: rpc(-32001, "Session not found") });
  });

  it("but nothing for a success, another error, or an impossible status", () => {
    const record: ExchangeRecord = { phase: "ended", exchanges: 1, startedMs: 0, status: 200 };
    expect(httpFailureOf(new Error("x"), record)).toBeUndefined();
    expect(httpFailureOf(new StreamableHTTPError(-1, "Unexpected content type"), undefined)).toBeUndefined();
    expect(httpFailureOf(undefined, undefined)).toBeUndefined();
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
  expect(read(status, { session })).toMatchObject({ reason, effect, basis: "mapped", origin: { layer: "transport" } });
});

describe("waits and limits", () => {
  it("are taken over from the headers", () => {
    expect(read(503, { headers: { "retry-after": "3" } }).retry).toEqual({ allowed: true, afterMs: 3_000 });
    expect(read(429, { headers: { "retry-after": "Fri, 02 Jan 2026 03:04:15 GMT" } }).retry?.afterMs).toBe(10_000);
    const headers = { ratelimit: '"burst";r=0;t=30', "ratelimit-policy": '"burst";q=100;w=60' };
    expect(read(429, { headers })).toMatchObject({
      retry: { afterMs: 30_000 },
      limits: [{ policy: "burst", quota: 100, remaining: 0, resetMs: 30_000, windowMs: 60_000 }],
    });
  });

  it("a quota that does not come back soon is no rate limit", () => {
    expect(read(429, { body: JSON.stringify({ error: { code: "insufficient_quota" } }) })).toMatchObject({
      reason: "core/quota_exhausted",
    });
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

  it("a page of a proxy is not shown", () => {
    const fault = read(502, { body: "<html>nginx at 10.0.0.7</html>", headers: { "content-type": "text/html" } });
    expect(JSON.stringify(fault)).not.toContain("nginx");
  });
});
