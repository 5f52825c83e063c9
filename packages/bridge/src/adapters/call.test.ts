import { describe, expect, it } from "vitest";
import { adapted, answer, broken, failure, hang } from "../../test/adapted.ts";
import type { CallContext } from "./spec.ts";

describe("a call", () => {
  it("gets the backend, a signal, its time, the key and the request", async () => {
    const { call } = adapted();
    const context = { mcpReq: { _meta: { "recourse/call": { key: "order-7", deadlineMs: 600 } } } };
    const seen: CallContext<string>[] = [];
    const result = await call((args, given) => ({ ...answer, args, ...(seen.push(given) && {}) }), { context });
    expect(result).toEqual({ ...answer, args: { n: 1 } });
    expect(seen).toEqual([
      {
        backend: "backend of config",
        signal: expect.any(AbortSignal),
        timeoutMs: 500,
        key: "order-7",
        request: context,
      },
    ]);
  });

  it("runs its tool once, whatever becomes of it", async () => {
    const { call, clock } = adapted();
    let runs = 0;
    const fault = failure(
      call(() => {
        runs++;
        return broken();
      }),
    );
    expect((await fault).reason).toBe("adapter/failed");
    await clock.run(600_000);
    expect(runs).toBe(1);
  });
});

describe("time", () => {
  it.each([
    ["of the adapter", {}, {}, 1_000],
    ["of the tool", { timeoutMs: 300 }, {}, 300],
    [
      "that the caller has left, less what an answer takes",
      {},
      { _meta: { "recourse/call": { deadlineMs: 700 } } },
      600,
    ],
    [
      "of the tool, where the caller has more",
      { timeoutMs: 300 },
      { _meta: { "recourse/call": { deadlineMs: 9e9 } } },
      300,
    ],
  ])("is that %s", async (_what, tool, context, timeoutMs) => {
    const { call, clock } = adapted();
    let signal: AbortSignal | undefined;
    const fault = failure(
      call(
        (_args, given) => {
          signal = given.signal;
          return hang();
        },
        { tool, context },
      ),
    );
    await clock.run(timeoutMs);
    expect(await fault).toMatchObject({
      reason: "tool/timeout",
      params: { tool: "buy", timeoutMs },
      effect: "possible",
    });
    expect(signal?.aborted).toBe(true);
  });

  it("that is too short to begin with leaves the backend alone", async () => {
    const { call } = adapted();
    const context = { _meta: { "recourse/call": { deadlineMs: 40 } } };
    const fault = await failure(call(() => expect.unreachable(), { context }));
    expect(fault).toMatchObject({ reason: "tool/timeout", effect: "none" });
  });

  it("that ends a tool which only reads has changed nothing", async () => {
    const { call, clock } = adapted();
    const fault = failure(call(hang, { tool: { annotations: { readOnlyHint: true } } }));
    await clock.run(1_000);
    expect(await fault).toMatchObject({ reason: "tool/timeout", effect: "none" });
  });

  it("ends with the caller's interest", async () => {
    const { call, keeper } = adapted();
    const caller = new AbortController();
    const fault = failure(call(hang, { context: { mcpReq: { signal: caller.signal } } }));
    await new Promise(setImmediate);
    caller.abort();
    expect(await fault).toMatchObject({ reason: "core/cancelled", effect: "possible" });
    expect(keeper.health.failures).toBe(0);
  });
});
