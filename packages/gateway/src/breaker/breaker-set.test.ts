import { describe, expect, it } from "vitest";
import { BreakerSet } from "./breaker-set.ts";
import type { BreakerAnswer, BreakerFlip, BreakerGo } from "./breakers.ts";

const SHOP = { upstream: "shop" };
const RULES = { failures: 3, pauseMs: 1_000, maxPauseMs: 3_000 };

/** Breakers of one process without Redis, on a clock that the test moves. */
function local() {
  const clock = { nowMs: 0 };
  const changes: string[] = [];
  const flips: BreakerFlip[] = [];
  let tokens = 0;
  const breakers = new BreakerSet({
    rules: RULES,
    server: undefined,
    upstreams: ["shop"],
    now: () => clock.nowMs,
    random: () => 1,
    newToken: () => `probe-${++tokens}`,
    onChange: ({ upstream, tool }, state) => changes.push([upstream, tool, state].filter(Boolean).join(" ")),
    onFlip: (flip) => flips.push(flip),
  });
  const ask = () => breakers.ask(SHOP, 2_000) as BreakerAnswer;
  const pass = () => (ask() as BreakerGo).pass;
  const trip = () => {
    for (let count = 0; count < RULES.failures; count++) breakers.tell({ upstream: "shop" }, pass(), "failure");
  };
  return { breakers, clock, changes, flips, ask, pass, trip };
}

describe("the breakers of tools", () => {
  const tool = (name: string) => ({ upstream: "shop", tool: name });

  it("hold back a tool that fails, and neither its neighbours nor its upstream", () => {
    const { breakers, changes, ask, clock } = local();
    const go = breakers.ask(tool("pay"), 2_000) as BreakerGo;
    for (let count = 0; count < RULES.failures; count++) breakers.tell(tool("pay"), go.pass, "failure");
    expect(breakers.ask(tool("pay"), 2_000)).toEqual({ go: false, afterMs: 1_000 });
    expect(breakers.ask(tool("find"), 2_000)).toMatchObject({ go: true });
    expect(ask()).toMatchObject({ go: true });
    expect(breakers.views).toMatchObject([{ upstream: "shop" }, { upstream: "shop", tool: "pay", state: "open" }]);
    clock.nowMs = 1_000;
    const probe = breakers.ask(tool("pay"), 2_000) as BreakerGo;
    breakers.tell(tool("pay"), probe.pass, "success");
    expect(changes).toEqual(["shop pay open", "shop pay half-open", "shop pay closed"]);
    expect(breakers.views).toMatchObject([{ upstream: "shop", state: "closed" }]);
  });

  it("are closed together with that of their upstream", async () => {
    const { breakers, trip, ask } = local();
    const go = breakers.ask(tool("pay"), 2_000) as BreakerGo;
    for (let count = 0; count < RULES.failures; count++) breakers.tell(tool("pay"), go.pass, "failure");
    trip();
    await breakers.reset({ upstream: "shop" });
    expect([ask().go, (breakers.ask(tool("pay"), 2_000) as BreakerAnswer).go]).toEqual([true, true]);
  });

  it("are closed one by one, and that of the upstream stays as it is", async () => {
    const { breakers, trip, ask } = local();
    for (const name of ["pay", "find"]) {
      const go = breakers.ask(tool(name), 2_000) as BreakerGo;
      for (let count = 0; count < RULES.failures; count++) breakers.tell(tool(name), go.pass, "failure");
    }
    trip();
    await breakers.reset(tool("pay"));
    expect([ask().go, ...["pay", "find"].map((name) => (breakers.ask(tool(name), 2_000) as BreakerAnswer).go)]).toEqual(
      [...[false, true, false]],
    );
  });
});

describe("the breakers of one process", () => {
  it("double the pause when a probe fails, up to the longest", () => {
    const { breakers, ask, trip, pass, clock } = local();
    trip();
    for (const pauseMs of [2_000, 3_000, 3_000]) {
      clock.nowMs += 3_000;
      breakers.tell({ upstream: "shop" }, pass(), "failure");
      expect(ask()).toEqual({ go: false, afterMs: pauseMs });
    }
  });

  it("take the next call as the probe when one has shown nothing, or was never heard of again", () => {
    const { breakers, ask, trip, pass, clock } = local();
    trip();
    clock.nowMs = 1_000;
    breakers.tell({ upstream: "shop" }, pass(), "ignored");
    const lost = pass();
    expect(lost.probe).toBe("probe-2");
    clock.nowMs += 2_000 + 999;
    expect(ask()).toEqual({ go: false, afterMs: 1 });
    clock.nowMs += 1;
    const next = pass();
    expect(next.probe).toBe("probe-3");
    breakers.tell({ upstream: "shop" }, lost, "success");
    expect(breakers.views).toMatchObject([{ state: "half-open" }]);
    breakers.tell({ upstream: "shop" }, next, "success");
    expect(breakers.views).toEqual([
      { upstream: "shop", state: "closed", afterMs: undefined, scope: "local", failures: 0 },
    ]);
  });

  it("do not count calls that were sent before the breaker was closed again", () => {
    const { breakers, ask, trip, pass, clock } = local();
    const old = Array.from({ length: 9 }, pass);
    trip();
    clock.nowMs = 1_000;
    breakers.tell({ upstream: "shop" }, pass(), "success");
    for (const one of old) breakers.tell({ upstream: "shop" }, one, "failure");
    expect(ask()).toMatchObject({ go: true });
    breakers.tell({ upstream: "shop" }, pass(), "failure");
    breakers.tell({ upstream: "shop" }, pass(), "failure");
    for (const one of old) breakers.tell({ upstream: "shop" }, one, "success");
    breakers.tell({ upstream: "shop" }, pass(), "failure");
    expect(ask()).toMatchObject({ go: false });
  });

  it("tell that they were opened and closed, not what is tried in between, with failures and the pause", () => {
    const { breakers, flips, trip, pass, clock } = local();
    trip();
    expect(breakers.views).toMatchObject([{ state: "open", failures: 3, pauseMs: 1_000, afterMs: 1_000 }]);
    clock.nowMs = 1_000;
    breakers.tell(SHOP, pass(), "failure");
    expect(breakers.views).toMatchObject([{ state: "open", failures: 4, pauseMs: 2_000 }]);
    clock.nowMs = 3_000;
    breakers.tell(SHOP, pass(), "success");
    expect(breakers.views).toEqual([
      { upstream: "shop", state: "closed", afterMs: undefined, scope: "local", failures: 0 },
    ]);
    expect(flips.map(({ upstream, what, failures }) => [upstream, what, failures])).toEqual([
      ["shop", "opened", 3],
      ["shop", "closed", undefined],
    ]);
  });

  it("are closed by an operator, and each upstream has its own", async () => {
    const { breakers, ask, trip } = local();
    trip();
    expect(breakers.ask({ upstream: "crm" }, 10)).toMatchObject({ go: true });
    await breakers.reset({ upstream: "shop" });
    expect(ask()).toMatchObject({ go: true });
    expect(breakers.views.map(({ upstream }) => upstream)).toEqual(["shop", "crm"]);
  });
});
