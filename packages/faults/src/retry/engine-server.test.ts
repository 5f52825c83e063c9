import { describe, expect, it } from "vitest";
import { GOOD, setUp } from "../../test/retry/set-up.ts";
import type { Fault } from "../fault/fault.ts";
import { fail } from "../reasons/fail.ts";
import { unreachable } from "../reasons/library/transport.ts";
import { createLoopGuard } from "./loop-guard.ts";

const busy = fail.overloaded`Busy.`.fault;
const late = fail.timeout`Late.`.fault;
const wrong = fail.invalid_input`Wrong.`.fault;
const locked = fail.unauthenticated({ retry: { allowed: false } })`Who are you?`.fault;

describe("reauthorization", () => {
  it("is requested once, and the call is made again at once, outside of the budget", async () => {
    const { run, peer } = setUp({ budget: { reserve: 0 } });
    const asked: Fault[] = [];
    const renew = async (fault: Fault) => {
      asked.push(fault);
      return "credentials" as const;
    };
    const { out, entries } = await run(peer([locked, GOOD]), { reauthorize: renew });
    expect(out).toBe(GOOD);
    expect(asked).toEqual([locked]);
    expect(entries[0]?.decision).toEqual({ do: "repeat", waitMs: 0, by: "reauthorized" });
    const { fault } = await run(peer([locked]), { reauthorize: renew });
    expect(fault).toMatchObject({ kind: "unauthenticated", tried: { attempts: 2, stopped: "refused" } });
    expect(asked).toHaveLength(2);
  });

  it("is not requested if the call would not be made again", async () => {
    const { run, peer } = setUp();
    let asked = 0;
    const renew = async () => {
      asked += 1;
      return "credentials" as const;
    };
    await run(peer([locked], 950), { reauthorize: renew, deadlineMs: 1_000 });
    await run(peer([wrong]), { reauthorize: renew });
    expect(asked).toBe(0);
  });

  it("that returns something else changes nothing", async () => {
    const { run, peer } = setUp();
    const { fault } = await run(peer([locked]), { reauthorize: async () => "approval" });
    expect(fault).toEqual(locked);
  });
});

describe("the server as a whole", () => {
  it("gets retries within the budget", async () => {
    const { run, peer } = setUp({ budget: { reserve: 1 } });
    expect((await run(peer([busy]))).fault?.tried).toMatchObject({ attempts: 2, stopped: "budget" });
    expect((await run(peer([busy]))).fault?.tried).toMatchObject({ attempts: 1, stopped: "budget" });
  });

  it("may state the time of a retry, which is then outside of the budget", async () => {
    const { run, peer } = setUp({ budget: { reserve: 0 } });
    const limited = (afterMs: number) => fail.rate_limited({ retry: { allowed: true, afterMs } })`Slow down.`.fault;
    expect((await run(peer([limited(2_000), GOOD]))).out).toBe(GOOD);
    expect((await run(peer([limited(10)]))).fault?.tried).toMatchObject({ attempts: 1, stopped: "budget" });
    const shed = fail.overloaded({ retry: { allowed: true, afterMs: 2_000 } })`Busy.`.fault;
    expect((await run(peer([shed]))).fault?.tried).toMatchObject({ attempts: 1, stopped: "budget" });
  });

  it("gets no calls after many failures, except one probe at a time", async () => {
    const { engine, run, peer } = setUp({
      breaker: { failures: 2 },
      testing: { random: () => 0 },
      policy: { attempts: 1 },
    });
    const attempt = peer([unreachable.fault({}, { origin: { layer: "transport" } })]);
    await run(attempt);
    await run(attempt);
    expect(engine.status()).toMatchObject({ breaker: "open", heldBackTools: [] });
    expect((await run(attempt, { tool: "other" })).fault).toMatchObject({
      reason: "transport/breaker_open",
      message: "Recent calls failed, so this call was not sent.",
      recourse: [{ do: "retry", afterMs: 500 }],
      tried: { attempts: 0, stopped: "breaker" },
    });
    expect(attempt.made).toBe(2);
  });

  it("gets the calls of all tools but the one that fails", async () => {
    const { engine, run, peer } = setUp({ breaker: { failures: 2 }, testing: { random: () => 0 } });
    const attempt = peer([fail.unavailable`Gone.`.fault]);
    await run(attempt);
    expect((await run(attempt)).fault?.tried).toMatchObject({ attempts: 1, stopped: "unsafe" });
    expect(engine.status()).toMatchObject({ breaker: "closed", heldBackTools: ["get"] });
    expect((await run(attempt)).fault).toMatchObject({
      reason: "transport/breaker_open",
      message: 'Recent calls of the tool "get" failed, so this call was not sent.',
      recourse: [{ do: "retry", afterMs: 500 }],
      tried: { attempts: 0, stopped: "breaker" },
    });
    expect(attempt.made).toBe(2);
    expect((await run(peer([GOOD]), { tool: "other" })).out).toBe(GOOD);
  });

  it("is probed by the next call if the probe was aborted", async () => {
    const { clock, engine, run, peer } = setUp({ breaker: { failures: 1, pauseMs: 0 } });
    await run(peer([late]));
    const abort = new AbortController();
    clock.at(clock.now() + 5, () => abort.abort());
    const probe = await run(peer([late]), { signal: abort.signal });
    expect(probe.fault?.reason).toBe("core/cancelled");
    expect(engine.status().heldBackTools).toEqual(["get"]);
    expect((await run(peer([GOOD]))).out).toBe(GOOD);
    expect(engine.status().heldBackTools).toEqual([]);
  });

  it("stops repeating once the breaker is open, with the failure that opened it", async () => {
    const { run, peer } = setUp({ breaker: { failures: 2, pauseMs: 60_000, maxPauseMs: 60_000 } });
    const { fault, entries } = await run(peer([busy]));
    expect(fault).toMatchObject({
      reason: busy.reason,
      recourse: [{ do: "retry", afterMs: 45_000 }],
      tried: { attempts: 2, stopped: "breaker" },
    });
    expect(entries.at(-1)?.decision).toEqual({ do: "stop", why: "breaker", rule: 7, waitMs: 45_000 });
  });

  it("gets all calls with `breaker: false` and all retries with `budget: false`", async () => {
    const { engine, run, peer } = setUp({ breaker: false, budget: false, policy: { attempts: 10 } });
    const attempt = peer([busy]);
    for (let call = 0; call < 5; call++) await run(attempt);
    expect(attempt.made).toBe(50);
    expect(engine.status()).toEqual({ breaker: "closed", heldBackTools: [], tokens: Number.POSITIVE_INFINITY });
  });
});

describe("a conversation", () => {
  it("in a loop gets the move stop, and a success ends the loop", async () => {
    const { run, peer } = setUp();
    const guard = createLoopGuard();
    await run(peer([wrong]), { guard });
    await run(peer([wrong]), { guard });
    const { fault, entries } = await run(peer([wrong]), { guard });
    expect(fault).toMatchObject({
      recourse: [{ do: "stop" }],
      tried: { attempts: 1, elapsedMs: 10, stopped: "looping", equalFailures: 3 },
    });
    expect(entries.at(-1)).toMatchObject({ fault, decision: { do: "stop", why: "looping" } });
    await run(peer([GOOD]), { guard, tool: "other" });
    expect((await run(peer([wrong]), { guard })).fault).toEqual(wrong);
  });
});
