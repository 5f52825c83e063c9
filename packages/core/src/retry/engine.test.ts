import { VirtualClock } from "@recourse/test-kit/virtual-clock";
import { describe, expect, it } from "vitest";
import { GOOD, setUp } from "../../test/retry/set-up.ts";
import type { Fault } from "../fault/fault.ts";
import { fail } from "../reasons/fail.ts";

const busy = fail.overloaded`Busy.`.fault;
const late = fail.timeout`Late.`.fault;

describe("a call", () => {
  it("is made again if that is safe, and records the decision", async () => {
    const { run, peer } = setUp();
    const { out, entries } = await run(peer([busy, busy, GOOD]));
    expect(out).toBe(GOOD);
    expect(entries).toEqual([
      { tool: "get", attempt: 1, startedMs: 0, endedMs: 10, fault: busy, decision: decided(500) },
      { tool: "get", attempt: 2, startedMs: 510, endedMs: 520, fault: busy, decision: decided(1_000) },
      { tool: "get", attempt: 3, startedMs: 1_520, endedMs: 1_530 },
    ]);
  });

  const decided = (waitMs: number) => ({ do: "repeat", waitMs, by: "backoff" });

  it("passes number and remaining time to each attempt", async () => {
    const { run, clock } = setUp();
    const seen: unknown[] = [];
    await run(
      async ({ attempt, leftMs }) => {
        seen.push([attempt, leftMs]);
        await clock.sleep(100);
        return { ok: false, fault: busy };
      },
      { deadlineMs: 2_000 },
    );
    expect(seen).toEqual([
      [1, 2_000],
      [2, 1_400],
      [3, 300],
    ]);
  });

  it("does not treat another outcome as a failure", async () => {
    const { engine } = setUp();
    const asked = { ok: "input_required" } as const;
    await expect(engine.run({ tool: "get", repeatable: false }, async () => asked)).resolves.toBe(asked);
  });

  it("never rejects: a throw becomes a fault", async () => {
    const { run } = setUp();
    const { fault } = await run(() => Promise.reject(new Error("private")));
    expect(fault).toMatchObject({ kind: "internal", effect: "possible", origin: { layer: "client" } });
    expect(JSON.stringify(fault)).not.toContain("private");
    const { fault: refused } = await run(async () => {
      throw fail.not_found`Not there.`;
    });
    expect(refused?.kind).toBe("not_found");
  });

  it("is not changed by listeners that throw", async () => {
    const onDecision = () => {
      throw new Error("broken listener");
    };
    const { run, peer } = setUp({ onDecision });
    expect((await run(peer([busy, GOOD]), { onDecision })).out).toBe(GOOD);
  });
});

describe("whether a call is repeatable", () => {
  it("is checked after every failure", async () => {
    const { run, peer } = setUp();
    const asked: unknown[] = [];
    const repeatable = (fault: Fault, attempt: number) => {
      asked.push([fault.kind, attempt]);
      return attempt === 1;
    };
    const attempt = peer([late]);
    expect((await run(attempt, { repeatable })).fault?.tried).toMatchObject({ attempts: 2, stopped: "unsafe" });
    expect(asked).toEqual([
      ["timeout", 1],
      ["timeout", 2],
    ]);
  });

  it("is no if the function throws", async () => {
    const { run, peer } = setUp();
    const repeatable = () => {
      throw new Error("broken");
    };
    expect((await run(peer([late]), { repeatable })).fault?.tried).toMatchObject({ attempts: 1, stopped: "unsafe" });
  });
});

describe("a deadline", () => {
  it("of zero sends nothing", async () => {
    const { run, peer } = setUp();
    for (const deadlineMs of [0, -1, Number.NaN]) {
      const attempt = peer([GOOD]);
      expect((await run(attempt, { deadlineMs })).fault).toMatchObject({
        reason: "transport/not_sent",
        effect: "none",
      });
      expect(attempt.made).toBe(0);
    }
  });

  it("that passed during a wait that took too long ends the call", async () => {
    const clock = new VirtualClock();
    const { run, peer } = setUp({ testing: { clock: { ...clock, sleep: () => clock.sleep(9_000) } } });
    const attempt = peer([busy], 0);
    const ended = run(attempt, { deadlineMs: 5_000 });
    await clock.run();
    expect((await ended).fault?.tried).toEqual({ attempts: 1, elapsedMs: 9_000, stopped: "deadline" });
    expect(attempt.made).toBe(1);
  });
});

describe("an abort", () => {
  it("before the first attempt sends nothing", async () => {
    const { run, peer } = setUp();
    const attempt = peer([GOOD]);
    const { fault } = await run(attempt, { signal: AbortSignal.abort() });
    expect(fault).toMatchObject({
      reason: "core/cancelled",
      effect: "none",
      tried: { attempts: 0, stopped: "aborted" },
    });
    expect(attempt.made).toBe(0);
  });

  it("ends a wait at once, even if the sleep ignores it", async () => {
    const { clock, run, peer } = setUp({ testing: { clock: { sleep: () => new Promise(() => undefined) } } });
    const abort = new AbortController();
    clock.at(300, () => abort.abort());
    const { fault } = await run(peer([busy]), { signal: abort.signal });
    expect(fault?.tried).toEqual({ attempts: 1, elapsedMs: 300, stopped: "aborted" });
  });

  it("ends an attempt at once, even one that ignores it", async () => {
    const { clock, run } = setUp();
    const abort = new AbortController();
    clock.at(300, () => abort.abort());
    const { fault } = await run(() => new Promise(() => undefined), { signal: abort.signal });
    expect(fault).toMatchObject({ effect: "possible", tried: { attempts: 1, elapsedMs: 300, stopped: "aborted" } });
  });
});
