import { describe, expect, it } from "vitest";
import { GOOD, setUp } from "../../test/retry/set-up.ts";
import { fail } from "../reasons/fail.ts";
import { unreachable } from "../reasons/library/transport.ts";
import { createLoopGuard } from "./loop-guard.ts";

const busy = fail.overloaded`Busy.`.fault;
const wrong = fail.invalid_input`Wrong.`.fault;

describe("the server as a whole", () => {
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
