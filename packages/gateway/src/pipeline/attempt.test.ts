// What an attempt gives to its upstream if the caller can be asked something.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { httpUpstream } from "../../test/support/config.ts";
import { headWith } from "../../test/support/head.ts";
import { fromFlags } from "../call/abilities.ts";
import { Call, type CallOrigin } from "../call/call.ts";
import type { ServerAnswer } from "../call/server-request.ts";
import type { Upstream, UpstreamReply, UpstreamRequest } from "../call/upstream.ts";
import { CredentialCutter } from "../judge/credential-cutter.ts";
import { attemptCall } from "./attempt.ts";
import { findSpans } from "./message-spans.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const RESULT: ServerAnswer = { result: Buffer.from("{}") };
const ROOTS = { method: "roots/list", params: undefined };
const NEVER = new AbortController().signal;

/** A call on its way to an upstream that answers when the test says so. */
function world({ flags = "r", isProbe = false, key = "", canAsk = true, isNotification = false } = {}) {
  const now = () => performance.now();
  const left = new AbortController();
  const origin: CallOrigin = {
    head: headWith(),
    signal: left.signal,
    readBody: () => Promise.reject(new Error("not read")),
    abort: () => left.abort(),
    notify: () => {},
    canAsk,
  };
  const call = new Call(origin, now());
  const text = `{"jsonrpc":"2.0",${isNotification ? "" : '"id":1,'}"method":"tools/call","params":{"name":"t"}}`;
  const bytes = Buffer.from(text);
  const parsed = JSON.parse(text) as { readonly params: Record<string, unknown>; readonly id?: number };
  const spans = findSpans(bytes, parsed);
  if (typeof spans === "string") throw new Error(spans);
  call.message = { method: "tools/call", id: parsed.id, params: parsed.params, meta: undefined, bytes, spans };
  call.id = isNotification ? undefined : "1";
  call.revision = "2025-11-25";
  call.abilities = fromFlags(flags);
  call.deadlineMs = now() + 100;
  call.isProbe = isProbe;
  call.cancellation = { run: undefined, isOver: false };
  if (key !== "") call.binding = { key, digest: "", owner: "", arguments: Buffer.from("{}"), approval: undefined };
  const sent: UpstreamRequest[] = [];
  const reply = Promise.withResolvers<UpstreamReply>();
  const upstream: Upstream = {
    options: httpUpstream("http://127.0.0.1:1/"),
    ready: () => "2026-07-28",
    send(request) {
      sent.push(request);
      return reply.promise;
    },
    about: undefined,
    close: async () => {},
  };
  call.route = { kind: "upstream", upstream, target: "t", tool: undefined };
  const answers: ((answer: ServerAnswer) => void)[] = [];
  const observer = { traceparent: () => undefined, unexpected: () => {}, log: () => {} };
  const cutter = new CredentialCutter({ observer, now });
  const askOnStream = () => {
    const { promise, resolve } = Promise.withResolvers<ServerAnswer>();
    answers.push(resolve);
    return promise;
  };
  const step = attemptCall({
    catalog: { onNotification: () => {} },
    observer,
    cutter,
    ask: { askOnStream, cutter, waitMs: 60_000, now },
    clientInfo: "{}",
    now,
  });
  const running = Promise.resolve(step(call));
  const answerOk = () =>
    reply.resolve({ kind: "answer", status: 200, header: () => undefined, body: Buffer.from("{}") });
  return { call, sent, left, answers, running, answerOk, request: () => sent[0] as UpstreamRequest };
}

describe("an upstream may ask", () => {
  it.each([
    [{}, true],
    [{ flags: "" }, false],
    [{ flags: "tc" }, false],
    [{ isNotification: true }, false],
  ])("where the caller can answer: %o", async (given, may) => {
    const { request, running, answerOk } = world(given);
    expect(request().onRequest !== undefined).toBe(may);
    answerOk();
    await running;
  });

  it.each([
    [{}, '"io.modelcontextprotocol/clientCapabilities":{"roots":{}}'],
    [
      { flags: "fus" },
      '"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}},"sampling":{}}',
    ],
    [{ flags: "" }, '"io.modelcontextprotocol/clientCapabilities":{}'],
    [{ canAsk: false }, '"io.modelcontextprotocol/clientCapabilities":{}'],
  ])("and one of the newer era is told so: %o", async (given, stated) => {
    const { request, running, answerOk } = world(given);
    expect(request().params.toString()).toContain(stated);
    answerOk();
    await running;
  });
});

describe("a probe", () => {
  it("has its time, without that in which its caller is asked", async () => {
    const { call, request, answers, running, answerOk } = world({ isProbe: true });
    await vi.advanceTimersByTimeAsync(60);
    const asked = request().onRequest?.(ROOTS, NEVER);
    await vi.advanceTimersByTimeAsync(10_000);
    answers[0]?.(RESULT);
    expect(await asked).toEqual(RESULT);
    await vi.advanceTimersByTimeAsync(30);
    expect(call.reply).toBeUndefined();
    answerOk();
    await running;
    expect(call.reply).toMatchObject({ kind: "answer" });
    expect(call.waitedMs).toBe(10_000);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is late after that", async () => {
    const { call, request, answers, running, answerOk } = world({ isProbe: true });
    const asked = request().onRequest?.(ROOTS, NEVER);
    await vi.advanceTimersByTimeAsync(10_000);
    answers[0]?.(RESULT);
    await asked;
    await vi.advanceTimersByTimeAsync(101);
    await running;
    expect(call.reply).toMatchObject({ kind: "failed", fault: { reason: "core/timeout" } });
    expect(call.late).toBeDefined();
    answerOk();
  });
});

describe("a caller that cancels", () => {
  it.each(["", "k"])("is asked no more, with the key %j", async (key) => {
    const { call, request, running, answerOk } = world({ key });
    const asked = request().onRequest?.(ROOTS, NEVER);
    await vi.advanceTimersByTimeAsync(0);
    call.cancellation?.run?.();
    expect(await asked).toHaveProperty("error");
    // A call with a key continues.
    expect(request().signal.aborted).toBe(key === "");
    answerOk();
    await running;
    expect(call.cancellation).toEqual({ run: undefined, isOver: true });
  });
});
