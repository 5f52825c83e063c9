import { describe, expect, it } from "vitest";
import { answer, broken, createTestAdapter, failure, hang } from "../../test/test-adapter.ts";
import type { AnyTool, CallContext } from "./spec.ts";

describe("a call", () => {
  it("gets the backend, a signal, its time, the key and the request", async () => {
    const { call } = createTestAdapter();
    const context = { mcpReq: { _meta: { "recourse/call": { key: "order-7", deadlineMs: 600 } } } };
    const seen: CallContext<string>[] = [];
    const result = await call((args, given) => ({ ...answer, args, ...(seen.push(given) && {}) }), { context });
    expect(result).toEqual({ ...answer, args: { n: 1 } });
    const made = { fail: expect.any(Function), signal: expect.any(AbortSignal) };
    const told = { backend: "backend of config", deadlineMs: 500, idempotencyKey: "order-7", request: context };
    expect(seen).toEqual([{ ...told, ...made }]);
  });

  it("runs its tool once, also when the tool fails", async () => {
    const { call, clock } = createTestAdapter();
    let runs = 0;
    const fault = await failure(call(() => (runs++ === 0 ? broken() : answer)));
    expect(fault.reason).toBe("adapter/failed");
    await clock.run(600_000);
    expect(runs).toBe(1);
  });
});

describe("the time limit", () => {
  it.each([
    ["the adapter's", {}, {}, 1_000],
    ["the tool's", { deadlineMs: 300 }, {}, 300],
    ["the caller's deadline, less the time of an answer", {}, { _meta: { "recourse/call": { deadlineMs: 700 } } }, 600],
    ["the tool's, if shorter", { deadlineMs: 300 }, { _meta: { "recourse/call": { deadlineMs: 9e9 } } }, 300],
  ])("is %s", async (_what, tool, context, timeoutMs) => {
    const { call, clock } = createTestAdapter();
    let signal: AbortSignal | undefined;
    const handler: AnyTool["handler"] = (_args, given) => {
      signal = given.signal;
      return hang();
    };
    const fault = failure(call(handler, { tool, context }));
    await clock.run(timeoutMs);
    const params = { tool: "buy", timeoutMs };
    expect(await fault).toMatchObject({ reason: "tool/timeout", params, effect: "possible" });
    expect(signal?.aborted).toBe(true);
  });

  it("that is already over leaves the backend alone", async () => {
    const { call } = createTestAdapter();
    const context = { _meta: { "recourse/call": { deadlineMs: 40 } } };
    const fault = await failure(call(() => expect.unreachable(), { context }));
    expect(fault).toMatchObject({ reason: "tool/timeout", effect: "none" });
  });

  it("means no effect for a tool that only reads", async () => {
    const { call, clock } = createTestAdapter();
    const fault = failure(call(hang, { tool: { annotations: { readOnlyHint: true } } }));
    await clock.run(1_000);
    expect(await fault).toMatchObject({ reason: "tool/timeout", effect: "none" });
  });

  it("ends when the caller gives up", async () => {
    const { call, manager } = createTestAdapter({ options: { breaker: { failures: 1 } } });
    const caller = new AbortController();
    const fault = failure(call(hang, { context: { mcpReq: { signal: caller.signal } } }));
    await new Promise(setImmediate);
    caller.abort();
    expect(await fault).toMatchObject({ reason: "core/cancelled", effect: "possible" });
    expect(manager.health.status).toBe("healthy");
  });
});
