import { type Fault, stampFault } from "@recourse/core";
import { auth, core, protocol, transport } from "@recourse/core/reasons";
import { describe, expect, it } from "vitest";
import { Call, type CallOrigin } from "../call/call.ts";
import type { Caller } from "../call/caller.ts";
import { bucketOf, CallTally, outcomeOf } from "./tally.ts";
import { WaitingCounts } from "./waiting-counts.ts";

const START = Date.UTC(2026, 10, 18, 14, 30, 10);
const MINUTE = Date.UTC(2026, 10, 18, 14, 30);
const INCIDENT = "01M7HXRMR83H8Q9JKGBAVMDXX4";
const failed = (fault: Fault) => stampFault(fault, { incident: INCIDENT });

function callerOf(subject: string, tenant = "acme"): Caller {
  const id = JSON.stringify(["key", tenant, subject]);
  return { id, tenant, subject, tools: [], scopes: new Set(), entitlements: new Set(), dialect: undefined };
}

const ANN = callerOf("ann");

function callOf(tool: string | undefined, changes: Partial<Call> = {}): Call {
  const call = new Call({} as CallOrigin, 0);
  const upstream = { options: { name: "shop" } };
  const route = { kind: "upstream", upstream, target: tool, tool: tool === undefined ? undefined : { name: tool } };
  return Object.assign(call, { caller: ANN, message: { id: "1", method: "tools/call" }, route }, changes);
}

function tallyOf({ tookMs = 3, callers = "keep" as "keep" | "digest" | "drop" } = {}) {
  const clock = { nowMs: START };
  const waiting = new WaitingCounts();
  const tally = new CallTally({ now: () => clock.nowMs, monotonic: () => tookMs, callers, waiting });
  const take = () => {
    tally.move();
    const batch = waiting.take() ?? { tools: [], callers: [] };
    waiting.written();
    return batch;
  };
  return { clock, tally, waiting, take };
}

describe("what came of a call", () => {
  it.each([
    ["ok", undefined, {}],
    ["operator", failed(core.internal.fault()), { wasSent: true }],
    ["operator", failed(core.internal.fault()), {}],
    ["refused", core.rate_limited.fault(), {}],
    ["refused", transport.breaker_open.fault(), {}],
    ["refused", auth.unauthorized.fault(), {}],
    ["refused", core.unavailable.fault(), {}],
    ["caller", core.rate_limited.fault(), { wasSent: true }],
    ["caller", protocol.invalid_params.fault(), {}],
    ["caller", core.not_found.fault(), { wasSent: true }],
  ] as const)("%s", (outcome, fault, changes) => {
    expect(outcomeOf(callOf("shop__find", changes), fault)).toBe(outcome);
  });
});

describe("the tally", () => {
  it("counts calls by tool and outcome with how long they took, and what their callers did", () => {
    const { tally, take } = tallyOf();
    tally.count(callOf("shop__find"), undefined);
    tally.count(callOf("shop__find"), undefined);
    tally.count(callOf("shop__find", { wasSent: true }), failed(core.internal.fault()));
    const time = { minuteMs: MINUTE };
    const durations = (n: number) => [0, 0, n, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    const tool = { upstream: "shop", tool: "shop__find", ...time };
    const caller = { tenant: "acme", caller: '["key","acme","ann"]', policy: "", lastMs: START, ...time };
    expect(take()).toEqual({
      tools: [
        { ...tool, outcome: "ok", n: 2, durations: durations(2) },
        { ...tool, outcome: "operator", n: 1, durations: durations(1) },
      ],
      callers: [
        { ...caller, what: "call", n: 3 },
        { ...caller, what: "incident", n: 1 },
      ],
    });
    expect(take()).toEqual({ tools: [], callers: [] });
  });

  it("counts what the gateway answers itself only where it fails, and calls without a route as those of no upstream", () => {
    const { tally, take } = tallyOf();
    const local = { route: { kind: "local", answer: () => "{}" } } as const;
    tally.count(callOf(undefined, local), undefined);
    tally.count(callOf("shop__find", { message: { method: "notifications/x" } as never }), undefined);
    tally.count(callOf(undefined, { route: undefined, caller: undefined }), auth.unauthorized.fault());
    const { tools, callers } = take();
    expect(tools).toMatchObject([{ upstream: "", tool: "", outcome: "refused", n: 1 }]);
    expect(callers).toEqual([]);
  });

  it("names the limit that refused a call", () => {
    const { tally, take } = tallyOf();
    const limited = (policy: string) => core.rate_limited.fault({}, { limits: [{ policy }] });
    tally.count(callOf("shop__find"), limited("key"));
    tally.count(callOf("shop__find", { limitedBy: "shop__*" }), limited("tool"));
    tally.count(callOf(undefined, { route: undefined, caller: undefined }), limited("address"));
    // The upstream's own limit.
    tally.count(callOf("shop__find", { wasSent: true }), limited("tier"));
    expect(take().callers.filter(({ what }) => what === "refusal")).toMatchObject([
      { caller: '["key","acme","ann"]', policy: "key", n: 1 },
      { caller: '["key","acme","ann"]', policy: "shop__*", n: 1 },
      { caller: "", tenant: "", policy: "address", n: 1 },
    ]);
  });

  it("keeps callers as the configuration says", () => {
    const kept = (callers: "keep" | "digest" | "drop") => {
      const { tally, take } = tallyOf({ callers });
      tally.count(callOf("shop__find"), undefined);
      return take().callers.map(({ caller, tenant }) => [caller, tenant]);
    };
    expect(kept("digest")).toEqual([["sha256:9bf71ba075fadf274e500bfc85f66625d512f634", "acme"]]);
    expect(kept("drop")).toEqual([["", "acme"]]);
  });

  it("begins a new minute with the first call in it", () => {
    const { clock, tally, take } = tallyOf();
    tally.count(callOf("shop__find"), undefined);
    clock.nowMs = MINUTE + 60_000;
    tally.count(callOf("shop__find"), undefined);
    expect(take().tools.map(({ minuteMs, n }) => [minuteMs, n])).toEqual([
      [MINUTE, 1],
      [MINUTE + 60_000, 1],
    ]);
  });

  it("tells the 200 busiest tools of a minute apart, and the rest as other", () => {
    const { tally, take } = tallyOf();
    for (let index = 0; index < 300; index += 1) {
      const times = index >= 250 ? 2 : 1;
      for (let time = 0; time < times; time += 1) tally.count(callOf(`shop__t${index}`), undefined);
    }
    const { tools } = take();
    expect(new Set(tools.map(({ tool }) => tool)).size).toBe(201);
    expect(tools.find(({ tool }) => tool === "other")).toMatchObject({ upstream: "shop", n: 100 });
    expect(tools.some(({ tool }) => tool === "shop__t299")).toBe(true);
    // The names of a minute are those of its first counts.
    tally.count(callOf("shop__new"), undefined);
    expect(take().tools).toMatchObject([{ tool: "other", n: 1 }]);
  });

  it("tells the 200 largest callers of each sort apart", () => {
    const { tally, take } = tallyOf();
    for (let index = 0; index < 250; index += 1)
      tally.count(callOf("shop__find", { caller: callerOf(`c${index}`) }), undefined);
    const { callers } = take();
    expect(new Set(callers.map(({ caller }) => caller)).size).toBe(201);
    expect(callers.find(({ caller }) => caller === "other")).toMatchObject({ tenant: "", n: 50 });
  });

  it("forgets a caller that is erased", () => {
    const { tally, take } = tallyOf();
    tally.count(callOf("shop__find"), undefined);
    tally.erase(['["key","acme","ann"]']);
    expect(take()).toMatchObject({ tools: [{ n: 1 }], callers: [] });
  });
});

it("puts durations into 17 buckets", () => {
  expect([0, 1, 1.1, 5, 300_000, 900_000].map(bucketOf)).toEqual([0, 0, 1, 2, 16, 16]);
});
