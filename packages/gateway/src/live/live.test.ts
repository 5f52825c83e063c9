import { formatId, stampFault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import type { JsonObject } from "@recourse/core/wire";
import { eventually } from "@recourse/test-kit/eventually";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { LIVE_EVENTS } from "../admin/overview-schemas.ts";
import type { Call } from "../call/call.ts";
import type { Observer } from "../call/observer.ts";
import type { GatewayIncident } from "../incidents/incidents.ts";
import type { BusHandler, ReplicaBus } from "../stores/replica-bus.ts";
import { Live } from "./live.ts";
import { LiveRing } from "./ring.ts";
import { LiveStreams } from "./streams.ts";

const START = Date.parse("2026-11-18T12:00:00.000Z");
const AT = "2026-11-18T12:00:00.000Z";
const TICK_MS = 500;
const INCIDENT_ID = formatId(START, new Uint8Array(10));
const FAULT = stampFault(core.unavailable.fault({}, { effect: "none" }), {
  incident: INCIDENT_ID,
  at: AT,
  origin: { layer: "gateway", name: "test" },
});
const INCIDENT = {
  fault: FAULT,
  at: AT,
  tool: "shop__pay",
  upstream: "shop",
  tenant: "acme",
  caller: "ci",
  sentText: undefined,
  upstreamIncident: undefined,
  admission: { id: INCIDENT_ID, fingerprint: "00ff00ff00ff00ff", isOther: false, isKept: true },
} as GatewayIncident;

// Time passes only if the test says so.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Processes whose messages reach the others at once. */
function createBuses(count: number): ReplicaBus[] {
  const handlers: Map<string, BusHandler>[] = Array.from({ length: count }, () => new Map());
  return handlers.map((own, at) => ({
    replica: `replica${at}`,
    on: (kind: string, handler: BusHandler) => void own.set(kind, handler),
    broadcast(kind: string, body: JsonObject) {
      for (const other of handlers) if (other !== own) void other.get(kind)?.(body, `replica${at}`);
    },
    send: () => {},
    ask: async () => undefined,
    close: () => {},
  }));
}

interface SeenEvent {
  readonly id: string | undefined;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads a stream. Each event has to fit its schema. */
function follow(stream: ReadableStream<Uint8Array> | undefined) {
  const events: SeenEvent[] = [];
  const state = { text: "", isOver: false };
  void (async () => {
    for await (const bytes of stream ?? []) {
      state.text += Buffer.from(bytes).toString();
      for (const block of Buffer.from(bytes).toString().split("\n\n")) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
        const name = field("event");
        if (name === undefined) continue;
        const data = JSON.parse(field("data") ?? "");
        expect(LIVE_EVENTS[name as keyof typeof LIVE_EVENTS].safeParse(data).error, block).toBeUndefined();
        events.push({ id: field("id"), name, data });
      }
    }
    state.isOver = true;
  })();
  const named = (name: string) => events.filter((event) => event.name === name).map(({ data }) => data);
  return { events, named, state };
}

function setUp(count = 1) {
  const clock = { ms: START };
  const all = createBuses(count).map((bus) => {
    const live = new Live({ now: () => clock.ms, tickMs: TICK_MS });
    live.start(bus);
    onTestFinished(() => live.close());
    const observer = live.watch({ ended() {}, switched() {}, breaker() {} } as unknown as Observer);
    const destroyed: string[] = [];
    const open = (lastEventId?: string, recheck = async () => true) =>
      live.open({ lastEventId, recheck, destroy: () => destroyed.push("yes") });
    return { live, observer, open, destroyed };
  });
  return { clock, all, first: all[0] as (typeof all)[number] };
}

describe("live", () => {
  it("tells incidents, approvals, breakers, stores and changes, as their schemas say", async () => {
    const { first } = setUp();
    const { events } = follow(first.open());
    first.live.incident(INCIDENT);
    first.live.incident({ ...INCIDENT, admission: { ...INCIDENT.admission, isKept: false } as never });
    first.live.approval({ id: INCIDENT_ID, state: "pending", expiresAt: AT });
    first.observer.breaker({ upstream: "shop", tool: "pay" }, "open");
    first.observer.switched("limits", "away", "");
    first.observer.switched("limits", "away", "");
    first.live.change({ id: "e1", at: AT, kind: "config", what: "taken-over", target: "configuration", facts: {} });
    await eventually(() => expect(events).toHaveLength(5));
    expect(events.map(({ id, name }) => [id, name])).toEqual([
      ["replica0-1", "incident"],
      ["replica0-2", "approval"],
      ["replica0-3", "breaker"],
      ["replica0-4", "store"],
      ["replica0-5", "change"],
    ]);
    expect(events[0]?.data).toEqual({
      id: INCIDENT_ID,
      at: AT,
      fingerprint: "00ff00ff00ff00ff",
      reason: "core/unavailable",
      kind: "unavailable",
      tool: "shop__pay",
      upstream: "shop",
      tenant: "acme",
      effect: "none",
    });
  });

  it("passes incidents on to other processes, and ticks count those of all", async () => {
    const { all } = setUp(2);
    const seen = all.map(({ open }) => follow(open()));
    all[0]?.live.incident(INCIDENT);
    all[1]?.observer.ended({} as Call, FAULT);
    all[0]?.observer.breaker({ upstream: "shop" }, "open");
    await pass(100);
    await eventually(() => expect(seen[1]?.named("incident")).toHaveLength(1));
    const sum = (name: string) => seen.map((one) => one.named("tick").reduce((n, tick) => n + Number(tick[name]), 0));
    await pass(2 * TICK_MS);
    await eventually(() => {
      expect([sum("incidents"), sum("calls"), sum("faults")]).toEqual([
        [1, 1],
        [1, 1],
        [1, 1],
      ]);
    });
    expect(seen.map((one) => one.named("breaker").length)).toEqual([1, 0]);
  });

  it("tells at most 200 events in a tick, leaves room for what is not an incident, and says what was left out", async () => {
    const { first } = setUp();
    const seen = follow(first.open());
    for (let at = 0; at < 1_000; at += 1) first.live.incident(INCIDENT);
    for (let at = 0; at < 100; at += 1) first.observer.breaker({ upstream: "shop" }, at % 2 === 0 ? "open" : "closed");
    await pass(2 * TICK_MS);
    await eventually(() => expect(seen.named("tick")).toHaveLength(2));
    expect([seen.named("incident").length, seen.named("breaker").length]).toEqual([150, 50]);
    expect(seen.named("tick")[0]).toMatchObject({ incidents: 1_000, dropped: 900 });
    expect(seen.named("tick")[1]).toMatchObject({ incidents: 0, dropped: 0 });
  });

  it("shares the 200 events among processes", async () => {
    const { all } = setUp(2);
    // Each hears of the other.
    await pass(TICK_MS);
    const seen = follow(all[1]?.open());
    for (const { live } of all) for (let at = 0; at < 500; at += 1) live.incident(INCIDENT);
    // What would be too much comes with the next ticks.
    await pass(5 * TICK_MS);
    await eventually(() => expect(seen.named("tick")).toHaveLength(5));
    expect(seen.named("tick").some(({ dropped }) => Number(dropped) > 0)).toBe(true);
    expect(seen.named("incident")).toHaveLength(150);
  });

  it("goes on after the last event, or says that it cannot", async () => {
    const { first, clock } = setUp();
    for (let at = 0; at < 4; at += 1) first.observer.breaker({ upstream: `up${at}` }, "open");
    const later = follow(first.open("replica0-2"));
    const newest = follow(first.open("replica0-4"));
    const others = ["replica9-2", "replica0-99", "nonsense", "replica0-"].map((id) => follow(first.open(id)));
    clock.ms += 61_000;
    first.observer.breaker({ upstream: "late" }, "open");
    const old = follow(first.open("replica0-1"));
    await eventually(() => expect(old.events.map(({ name }) => name)).toEqual(["reset"]));
    expect(later.named("breaker").map(({ upstream }) => upstream)).toEqual(["up2", "up3", "late"]);
    expect(newest.named("breaker").map(({ upstream }) => upstream)).toEqual(["late"]);
    expect(others.map(({ events }) => events[0]?.name)).toEqual(["reset", "reset", "reset", "reset"]);
  });

  it("has room for 256 streams, and takes none when it stops", async () => {
    const { first } = setUp();
    const streams = Array.from({ length: 256 }, () => first.open());
    expect([streams.includes(undefined), first.live.hasRoom, first.open()]).toEqual([false, false, undefined]);
    await streams[0]?.cancel();
    expect(first.live.hasRoom).toBe(true);
    const last = follow(streams[1]);
    first.live.close();
    await eventually(() => expect(last.state.isOver).toBe(true));
    expect(first.open()).toBeUndefined();
  });

  it("closes a reader that leaves a megabyte unread", () => {
    const { first } = setUp();
    first.open();
    const change = { id: "e1", at: AT, kind: "config", what: "w", target: "x".repeat(20_000), facts: {} } as const;
    for (let at = 0; at < 52; at += 1) first.live.change(change);
    expect(first.destroyed).toEqual([]);
    for (let at = 0; at < 3; at += 1) first.live.change(change);
    expect(first.destroyed).toEqual(["yes"]);
  });

  it("keeps nothing before it is started", () => {
    const live = new Live({ now: () => START });
    live.incident(INCIDENT);
    expect([live.hasRoom, live.open({ recheck: async () => true, destroy: () => {} })]).toEqual([false, undefined]);
  });
});

describe("a stream", () => {
  it("says something from time to time, and ends when the operator may not read any more", async () => {
    const streams = new LiveStreams(new LiveRing(() => START), { commentMs: 5, recheckMs: 10 });
    const answers = [true, true, false];
    const recheck = async () => answers.shift() ?? false;
    const seen = follow(streams.open({ recheck, destroy: () => {} }));
    await pass(30);
    await eventually(() => expect(seen.state.isOver).toBe(true));
    expect(seen.state.text).toMatch(/^retry: 1000\n:\n\n(:\n\n)+$/);
    expect(answers).toEqual([]);
  });

  it("is not filled with more than it can hold after a break", async () => {
    const ring = new LiveRing(() => START);
    ring.name = "r";
    for (let at = 0; at < 600; at += 1) ring.add("change", JSON.stringify({ text: "x".repeat(1_000) }));
    const streams = new LiveStreams(ring);
    onTestFinished(() => streams.close());
    const reader = streams.open({ lastEventId: "r-1", recheck: async () => true, destroy: () => {} })?.getReader();
    await reader?.read();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe("event: reset\ndata: {}\n\n");
  });
});

it("a ring holds so many events at most", () => {
  const ring = new LiveRing(() => START, 100);
  ring.name = "r";
  for (let at = 1; at <= 1_000; at += 1) ring.add("tick", "{}");
  expect([ring.after("r-899"), ring.after("r-900")?.length, ring.after("r-1000")]).toEqual([undefined, 100, []]);
});
