import { formatId, stampFault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { describe, expect, it } from "vitest";
import type { Call } from "../call/call.ts";
import type { Observer } from "../call/observer.ts";
import { Activity } from "./activity.ts";

const START = Date.parse("2026-11-18T12:00:30.000Z");
const MINUTE = 60_000;
const INCIDENT = formatId(START, new Uint8Array(10));
const FAILED = stampFault(core.unavailable.fault(), {
  incident: INCIDENT,
  at: new Date(START).toISOString(),
  origin: { layer: "gateway", name: "test" },
});
const MISTAKE = core.not_found.fault();

const callTo = (name: string | undefined) =>
  ({ route: name === undefined ? undefined : { kind: "upstream", upstream: { options: { name } } } }) as Call;

function setUp() {
  const clock = { ms: START };
  const passed: string[] = [];
  const activity = new Activity(() => clock.ms);
  const inner = {
    ended: () => void passed.push("ended"),
    switched: () => void passed.push("switched"),
    breaker: () => void passed.push("breaker"),
  } as unknown as Observer;
  return { clock, passed, activity, observer: activity.watch(inner) };
}

describe("activity", () => {
  it("counts requests and failures, of all and of each upstream, and passes everything on", () => {
    const { activity, observer, passed } = setUp();
    observer.ended(callTo("shop"), undefined);
    observer.ended(callTo("shop"), FAILED);
    observer.ended(callTo("shop"), MISTAKE);
    observer.ended(callTo(undefined), MISTAKE);
    expect(activity.total).toEqual({ requests: 4, failures: 3 });
    expect(activity.upstream("shop")).toEqual({
      requests: 3,
      failures: 2,
      lastFailure: { at: "2026-11-18T12:00:30.000Z", reason: "core/unavailable", incident: INCIDENT },
    });
    expect(activity.upstream("crm")).toEqual({ requests: 0, failures: 0, lastFailure: undefined });
    expect(activity.startedAt).toBe("2026-11-18T12:00:30.000Z");
    expect(passed).toEqual(["ended", "ended", "ended", "ended"]);
  });

  it("remembers since when a part is down, from the first word about it", () => {
    const { activity, observer, clock } = setUp();
    observer.switched("incidents", "away", "");
    clock.ms += MINUTE;
    observer.switched("incidents", "away", "");
    observer.switched("upstream shop", "away", "refused");
    expect(activity.away).toEqual([
      { control: "incidents", since: "2026-11-18T12:00:30.000Z", answer: "" },
      { control: "upstream shop", since: "2026-11-18T12:01:30.000Z", answer: "refused" },
    ]);
    observer.switched("incidents", "back", "");
    expect(activity.away.map(({ control }) => control)).toEqual(["upstream shop"]);
  });

  it("remembers when breakers changed, and forgets tools whose breaker is closed", () => {
    const { activity, observer, clock } = setUp();
    observer.breaker({ upstream: "shop" }, "open");
    observer.breaker({ upstream: "shop", tool: "buy" }, "open");
    expect(activity.breakerSince({ upstream: "shop", tool: "buy" })).toBe("2026-11-18T12:00:30.000Z");
    clock.ms += MINUTE;
    observer.breaker({ upstream: "shop" }, "closed");
    observer.breaker({ upstream: "shop", tool: "buy" }, "closed");
    expect(activity.breakerSince({ upstream: "shop" })).toBe("2026-11-18T12:01:30.000Z");
    expect(activity.breakerSince({ upstream: "shop", tool: "buy" })).toBeUndefined();
  });

  it("remembers the newest incident of an upstream and of its tools", () => {
    const { activity, observer } = setUp();
    const upstream = { options: { name: "shop" } };
    const call = { route: { kind: "upstream", upstream, tool: { name: "shop__pay" }, target: "pay" } };
    observer.ended(call as unknown as Call, FAILED);
    observer.ended(call as unknown as Call, MISTAKE);
    expect(activity.lastIncident({ upstream: "shop", tool: "pay" })).toBe(INCIDENT);
    expect(activity.lastIncident({ upstream: "shop" })).toBe(INCIDENT);
    expect(activity.lastIncident({ upstream: "shop", tool: "find" })).toBeUndefined();
  });

  it("remembers since when a look at a part shows that it is down", () => {
    const { activity, clock } = setUp();
    expect(activity.looked("database", { isAway: true })).toBe("2026-11-18T12:00:30.000Z");
    clock.ms += MINUTE;
    expect(activity.looked("database", { isAway: true })).toBe("2026-11-18T12:00:30.000Z");
    expect(activity.away).toEqual([{ control: "database", since: "2026-11-18T12:00:30.000Z" }]);
    expect(activity.looked("database", { isAway: false })).toBeUndefined();
    expect(activity.away).toEqual([]);
  });

  it("is bounded, whatever reloads and callers bring", () => {
    const { activity, observer } = setUp();
    for (let at = 0; at < 20_000; at += 1) {
      observer.ended(callTo(`up${at}`), undefined);
      observer.switched(`upstream up${at}`, "away", "");
      observer.breaker({ upstream: "shop", tool: `tool${at}` }, "open");
    }
    expect(activity.total.requests).toBe(20_000);
    expect(activity.upstream("up999").requests).toBe(1);
    expect(activity.upstream("up1000").requests).toBe(0);
    expect(activity.away).toHaveLength(10_000);
    expect(activity.breakerSince({ upstream: "shop", tool: "tool10001" })).toBeUndefined();
  });
});
