import { core } from "@recourse/core/reasons";
import { describe, expect, test } from "vitest";
import { callerOf, callOf, recordingObserver } from "../../test/catalog/support/calls.ts";
import { httpUpstream } from "../../test/support/config.ts";
import type { Caller } from "../call/caller.ts";
import type { Upstream, UpstreamReply, UpstreamRequest } from "../call/upstream.ts";
import { type CallerListBounds, CallerLists } from "./caller-lists.ts";
import { mergeLists } from "./merged.ts";
import { REFRESH_TIMES, UpstreamLists } from "./upstream-lists.ts";
import { createVisibility } from "./visibility.ts";

/** An upstream that lists a tool by the session that asks, with a clock that a test moves. */
function openWorld(bounds: Partial<CallerListBounds> = {}) {
  let nowMs = 1_000_000;
  const now = () => nowMs;
  const asked: UpstreamRequest[] = [];
  const state: {
    tools: (request: UpstreamRequest) => readonly string[];
    ttlMs: number | undefined;
    failing: UpstreamReply | undefined;
    gate: Promise<void>;
  } = { tools: ({ session }) => [`for ${session}`], ttlMs: undefined, failing: undefined, gate: Promise.resolve() };
  const upstream: Upstream = {
    options: httpUpstream("http://127.0.0.1:1/mcp", { lists: "caller" }),
    ready: () => "2026-07-28",
    about: { capabilities: { tools: {} }, instructions: undefined },
    close: () => Promise.resolve(),
    async send(request) {
      asked.push(request);
      await state.gate;
      if (state.failing !== undefined) return state.failing;
      const tools = state.tools(request).map((name) => ({ name, inputSchema: { type: "object" } }));
      const result = { tools, ...(state.ttlMs !== undefined && { ttlMs: state.ttlMs }) };
      const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: 0, result }));
      return { kind: "answer", status: 200, header: () => undefined, body };
    },
  };
  const { observer, lines } = recordingObserver();
  const client = { name: "test", version: "1" };
  const rules = { visibility: createVisibility([]), approvals: { needs: () => false, denies: () => false } };
  const lists = new UpstreamLists({ upstream, observer, client, now, onRead() {}, onNotification() {} });
  const callers = new CallerLists({
    client,
    observer,
    now,
    times: REFRESH_TIMES,
    bounds,
    merge: (own) => mergeLists([lists], rules, own),
    onNotification: (one, _message, session) => callers.forget(one, session),
  });
  const callFor = (id: string, more: Partial<Caller> = {}) =>
    callOf("tools/list", {}, { caller: callerOf({ id, ...more }) });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  /** What a new call of a caller finds, without reading. */
  const keptFor = (id: string) => {
    const own = callers.find(callFor(id));
    return own === undefined ? undefined : [...own.merged.entries["tools/list"].keys()];
  };
  const readAs = async (id: string) => {
    await callers.read(callFor(id), lists);
    return keptFor(id);
  };
  return { asked, state, lists, callers, lines, callFor, keptFor, readAs, pass };
}

test.each<[string, Partial<Caller>]>([
  ["scopes", { scopes: new Set(["read"]) }],
  ["entitlements", { entitlements: new Set(["premium"]) }],
  ["patterns of tools", { tools: ["up__for *"] }],
])("what was listed with some %s is not for the same caller with others", async (_, more) => {
  const { callers, callFor, lists } = openWorld();
  await callers.read(callFor("ada", more), lists);
  expect(callers.find(callFor("ada", more))).toBeDefined();
  expect(callers.find(callFor("ada"))).toBeUndefined();
});

test("a caller finds its own list, read with its own session and held against its own share", async () => {
  const { readAs, keptFor, asked } = openWorld();
  expect(await readAs("ada")).toEqual(["up__for ada"]);
  expect(await readAs("bob")).toEqual(["up__for bob"]);
  expect(keptFor("eve")).toBeUndefined();
  expect(asked.map(({ session, caller }) => [session, caller.id])).toEqual([
    ["ada", "ada"],
    ["bob", "bob"],
  ]);
});

describe("a list is fresh", () => {
  test.each([
    [undefined, 60_000],
    [5_000, 5_000],
    [0, 1_000],
    [1e12, 3_600_000],
  ])("with a hint of %s for %i ms", async (ttlMs, freshMs) => {
    const { state, readAs, keptFor, pass, asked, callers, lists, callFor } = openWorld();
    state.ttlMs = ttlMs;
    await readAs("ada");
    pass(freshMs - 1);
    expect(callers.read(callFor("ada"), lists)).toBeUndefined();
    expect(keptFor("ada")).toEqual(["up__for ada"]);
    pass(1);
    expect(keptFor("ada")).toEqual([]);
    expect(await readAs("ada")).toEqual(["up__for ada"]);
    expect(asked).toHaveLength(2);
  });

  test("and is read again for a name that is not in it, once in a second", async () => {
    const { readAs, pass, asked, callers, lists, callFor } = openWorld();
    await readAs("ada");
    pass(999);
    expect(callers.read(callFor("ada"), lists, { isUnknown: true })).toBeUndefined();
    pass(1);
    await callers.read(callFor("ada"), lists, { isUnknown: true });
    expect(asked).toHaveLength(2);
  });
});

test("calls of one caller share a reading; other callers and sessions have their own", async () => {
  const { callers, lists, callFor, asked } = openWorld();
  const first = callFor("ada");
  const session = { nonce: "s1", revision: "2025-11-25", abilities: first.abilities, expiresMs: 0 } as const;
  const inSession = Object.assign(callFor("ada"), { session });
  await Promise.all([first, callFor("ada"), callFor("bob"), inSession].map((call) => callers.read(call, lists)));
  expect(asked.map((one) => one.session).sort()).toEqual(["ada", "ada\ns1", "bob"]);
});

test("a change drops what one session was listed, and a change for all drops everything", async () => {
  const { callers, lists, readAs, keptFor } = openWorld();
  await readAs("ada");
  await readAs("bob");
  callers.forget(lists, "ada");
  expect([keptFor("ada"), keptFor("bob")]).toEqual([[], ["up__for bob"]]);
  callers.forget(lists);
  expect(keptFor("bob")).toEqual([]);
  expect(callers.bytes).toBe(0);
});

test("a list that changes while it is read is read once more, and not for ever", async () => {
  const { state, readAs, asked } = openWorld();
  let turn = 0;
  state.tools = ({ onNotification }) => {
    turn += 1;
    onNotification(Buffer.from('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'));
    return [`turn ${turn}`];
  };
  expect(await readAs("ada")).toEqual(["up__turn 2"]);
  expect(asked).toHaveLength(2);
});

describe("a list that cannot be read", () => {
  test("has a fault for the caller, and is tried again after pauses that grow", async () => {
    const { state, lists, callers, callFor, pass, asked, readAs, lines } = openWorld();
    state.failing = { kind: "failed", fault: core.unavailable.fault({}, { effect: "none" }) };
    await readAs("ada");
    const own = callers.find(callFor("ada"));
    expect(own?.find(lists)?.faults.get("tools/list")?.reason).toBe("core/unavailable");
    expect(own?.knows(lists, "tools/list")).toBe(false);
    for (const pauseMs of [1_000, 2_000, 4_000, 8_000, 8_000]) {
      const before = asked.length;
      pass(pauseMs - 1);
      expect(callers.read(callFor("ada"), lists, { isUnknown: true })).toBeUndefined();
      pass(1);
      await readAs("ada");
      expect(asked).toHaveLength(before + 1);
    }
    expect(lines).toHaveLength(1);
    state.failing = undefined;
    pass(8_000);
    expect(await readAs("ada")).toEqual(["up__for ada"]);
  });

  test("says nothing about an effect: nothing of the call was sent", async () => {
    const { state, lists, callers, callFor, readAs } = openWorld();
    state.failing = { kind: "failed", fault: core.timeout.fault({}, { effect: "possible" }) };
    await readAs("ada");
    expect(callers.find(callFor("ada"))?.find(lists)?.faults.get("tools/list")?.effect).toBe("none");
  });
});

describe("what is kept is bounded", () => {
  test("by callers: who has not called for longest goes first", async () => {
    const { callers, readAs, keptFor } = openWorld({ callers: 3 });
    for (const id of ["a", "b", "c"]) await readAs(id);
    keptFor("a");
    await readAs("d");
    expect(callers.size).toBe(3);
    expect(["a", "b", "c", "d"].map((id) => keptFor(id) !== undefined)).toEqual([true, false, true, true]);
  });

  test("by sessions of one caller, which push out none of others", async () => {
    const { callers, lists, callFor, readAs, keptFor } = openWorld({ callers: 10, sessionsOfCaller: 2 });
    await readAs("bob");
    for (let at = 0; at < 50; at++) {
      const call = callFor("ada");
      call.session = { nonce: `s${at}`, revision: "2025-11-25", abilities: call.abilities, expiresMs: 0 };
      await callers.read(call, lists);
    }
    expect(callers.size).toBe(3);
    expect(keptFor("bob")).toEqual(["up__for bob"]);
  });

  test("by bytes", async () => {
    const { callers, state, readAs } = openWorld({ bytes: 100_000 });
    state.tools = () => ["x".repeat(400)];
    for (let at = 0; at < 200; at++) {
      await readAs(`caller ${at}`);
      expect(callers.bytes).toBeLessThanOrEqual(100_000);
    }
    expect(callers.size).toBeGreaterThan(5);
    expect(callers.size).toBeLessThan(60);
  });

  test("by readings under way, and a call whose list was pushed out meanwhile still has it", async () => {
    const { callers, lists, callFor, state, asked } = openWorld({ callers: 5, reads: 16 });
    const gate = Promise.withResolvers<void>();
    state.gate = gate.promise;
    const calls = Array.from({ length: 50 }, (_, at) => callFor(`caller ${at}`, { tenant: `t${at}` }));
    const reads = calls.map((call) => callers.read(call, lists));
    expect(reads.filter((read) => read !== undefined).length).toBeLessThanOrEqual(16);
    expect(asked.length).toBeLessThanOrEqual(16);
    gate.resolve();
    await Promise.all(reads);
    const first = callers.find(calls[0] as (typeof calls)[number]);
    expect([...(first?.merged.entries["tools/list"].keys() ?? [])]).toEqual(["up__for caller 0"]);
    expect(callers.size).toBe(5);
  });
});

test("nothing is read after the end", async () => {
  const { callers, lists, callFor, asked } = openWorld();
  callers.close();
  expect(callers.read(callFor("ada"), lists)).toBeUndefined();
  expect(asked).toEqual([]);
});
