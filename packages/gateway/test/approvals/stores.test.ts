// The same laws for approvals in memory and in PostgreSQL.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApprovalChange, ApprovalStore } from "../../src/approvals/approvals.ts";
import { memoryApprovals } from "../../src/approvals/memory-approvals.ts";
import { type Replicas, requestOf, startReplicas } from "./support.ts";

const BOUNDS = { calls: 3, bytes: 100 };
let replicas: Replicas;
let clock = Date.now();

beforeAll(async () => {
  replicas = await startReplicas({ bounds: BOUNDS });
}, 120_000);
afterAll(() => replicas.close());

interface Made {
  readonly store: ApprovalStore;
  /** Lets everything expire. */
  expire(): Promise<void>;
}

const MAKE = {
  memory: (): Made => ({
    store: memoryApprovals({ now: () => clock, bounds: BOUNDS }),
    async expire() {
      clock += 900_000;
    },
  }),
  postgres: (): Made => ({
    store: replicas.stores[0],
    async expire() {
      await replicas.database.query("update gateway_approval set expires = least(expires, clock_timestamp())");
    },
  }),
} as const;

let callers = 0;
const newCaller = () => `caller-${++callers}`;

describe.each(["memory", "postgres"] as const)("approvals in %s", { timeout: 60_000 }, (name) => {
  const by = "ann";

  it("asks once, lets one call through, and asks again for the next", async () => {
    const { store } = MAKE[name]();
    const request = requestOf({ caller: newCaller() });
    const asked = await store.consume(request, "c1");
    expect(asked).toMatchObject({ state: "pending", id: expect.stringMatching(/^[0-9A-Z]{26}$/) });
    expect(await store.consume(request, "c2")).toEqual(asked);
    const id = asked.state === "pending" ? asked.id : "";
    expect(await store.decide({ id, approve: true, by })).toMatchObject({
      isDecided: true,
      approval: { id, state: "approved", decidedBy: "ann", arguments: "{}" },
    });
    expect(await store.decide({ id, approve: false, by: "bob" })).toMatchObject({
      isDecided: false,
      approval: { state: "approved", decidedBy: "ann" },
    });
    expect(await store.consume(request, "c3")).toEqual({ state: "consumed", id });
    expect(await store.find(id)).toMatchObject({ state: "consumed" });
    const again = await store.consume(request, "c4");
    expect(again).toMatchObject({ state: "expired" });
    expect(again).not.toMatchObject({ id });
    expect(await store.consume(request, "c5")).toEqual({ ...again, state: "pending" });
  });

  it("counts those that wait for a decision, and how long the oldest does", async () => {
    const { store, expire } = MAKE[name]();
    await expire();
    expect(await store.countPending()).toEqual({ count: 0, oldestMs: 0 });
    const first = await store.consume(requestOf({ caller: newCaller() }), "c1");
    if (name === "postgres")
      await replicas.database.query(
        "update gateway_approval set created = created - interval '1 minute' where state = 'pending'",
      );
    else clock += 60_000;
    await store.consume(requestOf({ caller: newCaller() }), "c2");
    const { count, oldestMs } = await store.countPending();
    expect(count).toBe(2);
    expect(oldestMs).toBeGreaterThanOrEqual(60_000);
    await store.decide({ id: first.state === "pending" ? first.id : "", approve: true, by });
    const left = await store.countPending();
    expect(left.count).toBe(1);
    expect(left.oldestMs).toBeLessThan(60_000);
    await expire();
    expect(await store.countPending()).toEqual({ count: 0, oldestMs: 0 });
  });

  it("gives an approval back to be used again, for its own call and in its time only", async () => {
    const { store, expire } = MAKE[name]();
    const request = requestOf({ caller: newCaller() });
    const asked = await store.consume(request, "c1");
    const id = asked.state === "pending" ? asked.id : "";
    await store.giveBack(id, "c1");
    await store.decide({ id, approve: true, by });
    await store.consume(request, "c2");
    await store.giveBack(id, "c1");
    expect(await store.find(id)).toMatchObject({ state: "consumed" });
    await store.giveBack(id, "c2");
    expect(await store.find(id)).toMatchObject({ state: "approved" });
    expect(await store.consume(request, "c3")).toEqual({ state: "consumed", id });
    await store.giveBack(id, "c2");
    expect(await store.find(id)).toMatchObject({ state: "consumed" });
    await expire();
    await store.giveBack(id, "c3");
    expect(await store.find(id)).toMatchObject({ state: "consumed" });
  });

  it("gives back while another one is pending: the call runs, and the other one still waits", async () => {
    const { store } = MAKE[name]();
    const request = requestOf({ caller: newCaller() });
    const asked = await store.consume(request, "c1");
    const id = asked.state === "pending" ? asked.id : "";
    await store.decide({ id, approve: true, by });
    await store.consume(request, "c2");
    const other = await store.consume(request, "c3");
    expect(other.state).toBe("expired");
    await store.giveBack(id, "c2");
    expect(await store.consume(request, "c4")).toEqual({ state: "consumed", id });
    expect(await store.consume(request, "c5")).toEqual({ ...other, state: "pending" });
    // A later denial wins over an approval that is given back.
    const otherId = other.state === "expired" ? other.id : "";
    await store.decide({ id: otherId, approve: false, by });
    await store.giveBack(id, "c4");
    expect(await store.consume(request, "c6")).toMatchObject({ state: "denied", id: otherId });
  });

  it("stays denied until it expires, then asks anew", async () => {
    const { store, expire } = MAKE[name]();
    const request = requestOf({ caller: newCaller() });
    const asked = await store.consume(request, "c1");
    const id = asked.state === "pending" ? asked.id : "";
    await store.decide({ id, approve: false, by });
    expect(await store.consume(request, "c2")).toEqual({ ...asked, state: "denied" });
    await expire();
    expect(await store.find(id)).toMatchObject({ state: "expired" });
    const again = await store.consume(request, "c3");
    expect(again).toMatchObject({ state: "expired" });
    expect(again).not.toMatchObject({ id });
  });

  it.each([false, true])("does not count after it expired, approved before: %s", async (wasApproved) => {
    const { store, expire } = MAKE[name]();
    const request = requestOf({ caller: newCaller() });
    const asked = await store.consume(request, "c1");
    const id = asked.state === "pending" ? asked.id : "";
    if (wasApproved) await store.decide({ id, approve: true, by });
    await expire();
    expect(await store.decide({ id, approve: true, by })).toMatchObject({
      isDecided: false,
      approval: { state: "expired" },
    });
    expect(await store.consume(request, "c2")).toMatchObject({ state: "expired", id: expect.not.stringMatching(id) });
  });

  it("counts for nobody else, no other arguments and no other policy", async () => {
    const { store } = MAKE[name]();
    const caller = newCaller();
    const asked = await store.consume(requestOf({ caller }), "c1");
    const id = asked.state === "pending" ? asked.id : "";
    await store.decide({ id, approve: true, by });
    for (const other of [
      requestOf({ caller: newCaller() }),
      requestOf({ caller, tenant: "other" }),
      requestOf({ caller, arguments: '{"a":1}' }),
      requestOf({ caller, expiresMs: 900_001 }),
    ])
      expect(await store.consume(other, "c2")).toMatchObject({ state: "pending" });
    expect(await store.consume(requestOf({ caller }), "c3")).toEqual({ state: "consumed", id });
  });

  it("lets no caller ask for too much, and says when it may go on", async () => {
    const { store, expire } = MAKE[name]();
    const caller = newCaller();
    const ask = (n: number) => store.consume(requestOf({ caller, arguments: `[${n}]` }), `c${n}`);
    for (const n of [1, 2, 3]) expect(await ask(n)).toMatchObject({ state: "pending" });
    const full = await ask(4);
    expect(full).toMatchObject({ state: "full" });
    expect(full.state === "full" && full.waitMs > 0 && full.waitMs <= 900_000).toBe(true);
    expect(await ask(1)).toMatchObject({ state: "pending" });
    expect(await store.consume(requestOf({ caller: newCaller() }), "c5")).toMatchObject({ state: "pending" });
    await expire();
    expect(await ask(4)).toMatchObject({ state: "pending" });
  });

  it("lets no caller ask about too long arguments, and says when it may go on", async () => {
    const { store, expire } = MAKE[name]();
    const caller = newCaller();
    const ask = (n: number) => store.consume(requestOf({ caller, arguments: `["${"x".repeat(44)}",${n}]` }), `c${n}`);
    for (const n of [1, 2]) expect(await ask(n)).toMatchObject({ state: "pending" });
    const full = await ask(3);
    expect(full).toMatchObject({ state: "full", of: "bytes" });
    expect(full.state === "full" && full.waitMs > 0 && full.waitMs <= 900_000).toBe(true);
    await expire();
    expect(await ask(3)).toMatchObject({ state: "pending" });
  });

  it("forgets the arguments that nobody decided about in time, and keeps those of a decision", async () => {
    const { store, expire } = MAKE[name]();
    const caller = newCaller();
    const ids: string[] = [];
    for (const n of [1, 2]) {
      const asked = await store.consume(requestOf({ caller, arguments: `[${n}]` }), "c");
      ids.push(asked.state === "pending" ? asked.id : "");
    }
    const [missed = "", decided = ""] = ids;
    await store.decide({ id: decided, approve: false, by });
    expect(await store.find(missed)).toMatchObject({ state: "pending", arguments: "[1]" });
    await expire();
    clock += 1;
    expect(await store.find(missed)).toMatchObject({ state: "expired", arguments: "" });
    expect(await store.find(decided)).toMatchObject({ state: "expired", arguments: "[2]" });
    expect((await store.list({ limit: 10 })).find(({ id }) => id === missed)).toMatchObject({ arguments: "" });
  });

  it("lists what waits by expiry, in pages that stay in order while others are decided", async () => {
    const { store, expire } = MAKE[name]();
    await expire();
    const tenant = `tenant-${newCaller()}`;
    const ids: string[] = [];
    for (const expiresMs of [700_000, 500_000, 600_000]) {
      clock += 1;
      const asked = await store.consume(requestOf({ tenant, expiresMs, caller: newCaller() }), "c");
      ids.push("id" in asked ? asked.id : "");
    }
    const [late = "", soon = "", then = ""] = ids;
    const list = async (filter: object) =>
      (await store.list({ limit: 10, tenant, state: "pending", ...filter })).map((one) => one.id);
    expect(await list({})).toEqual([soon, then, late]);
    expect(await list({ limit: 1 })).toEqual([soon]);
    expect(await list({ limit: 1, before: soon })).toEqual([then]);
    await store.decide({ id: then, approve: true, by });
    expect(await list({ before: then })).toEqual([late]);
    expect(await list({})).toEqual([soon, late]);
  });

  it("finds what was decided for a caller and tool, with decision and note, also after it was used or has expired", async () => {
    const { store, expire } = MAKE[name]();
    await expire();
    const [caller, other] = [newCaller(), newCaller()];
    const ask = async (who: string, args: string) => {
      clock += 1;
      const asked = await store.consume(requestOf({ caller: who, arguments: args }), "c");
      return "id" in asked ? asked.id : "";
    };
    const used = await ask(caller, "[1]");
    await store.decide({ id: used, approve: true, by, note: "Ann agreed." });
    await store.consume(requestOf({ caller, arguments: "[1]" }), "c2");
    const denied = await ask(caller, "[2]");
    await store.decide({ id: denied, approve: false, by: "bob" });
    await store.decide({ id: await ask(other, "[3]"), approve: true, by });
    await ask(caller, "[4]");
    await expire();
    clock += 1;
    const filter = { state: "decided", caller: JSON.stringify(["key", "acme", caller]), tool: "shop__refund" } as const;
    const found = await store.list({ ...filter, limit: 10 });
    expect(found.map(({ id, state, decision, note, decidedBy }) => ({ id, state, decision, note, decidedBy }))).toEqual(
      [
        { id: denied, state: "expired", decision: "denied", note: undefined, decidedBy: "bob" },
        { id: used, state: "consumed", decision: "approved", note: "Ann agreed.", decidedBy: "ann" },
      ],
    );
    expect(await store.list({ ...filter, tool: "shop__other", limit: 10 })).toEqual([]);
  });

  it("lists the newest first, by state and tenant, in pages, and deletes what is old", async () => {
    const { store, expire } = MAKE[name]();
    await expire();
    const tenant = `tenant-${newCaller()}`;
    const ids: string[] = [];
    for (const n of [1, 2, 3]) {
      clock += 1;
      const asked = await store.consume(requestOf({ tenant, arguments: `[${n}]` }), "c");
      if (asked.state === "pending") ids.unshift(asked.id);
    }
    await store.decide({ id: ids[0] ?? "", approve: false, by });
    const list = async (filter: object) => (await store.list({ limit: 10, tenant, ...filter })).map((one) => one.id);
    expect((await list({})).toSorted()).toEqual(ids.toSorted());
    expect(await list({ state: "denied" })).toEqual([ids[0]]);
    const all = await list({});
    expect(await list({ limit: 1 })).toEqual([all[0]]);
    expect(await list({ before: all[0], limit: 1 })).toEqual([all[1]]);
    expect(await store.deleteOld(3_600_000)).toBe(0);
    await expire();
    clock += 1;
    expect(await list({ state: "denied" })).toEqual([]);
    expect(await list({ state: "expired" })).toHaveLength(3);
    expect(await store.deleteOld(0)).toBeGreaterThanOrEqual(3);
    expect(await list({})).toEqual([]);
    expect(await store.find(ids[0] ?? "")).toBeUndefined();
    expect(await store.decide({ id: ids[0] ?? "", approve: true, by })).toBeUndefined();
  });
});

describe.each(["memory", "postgres"] as const)("changes in %s", { timeout: 60_000 }, (name) => {
  it("are reported once by the process that made them", async () => {
    const changes: unknown[] = [];
    const onChange = ({ id, state, tool }: ApprovalChange) => void changes.push([id, state, tool]);
    const memory = memoryApprovals({ onChange });
    const stores = name === "memory" ? [memory, memory] : replicas.storesWith({ onChange });
    const request = requestOf({ caller: newCaller(), tenant: "told" });
    const asked = await Promise.all(Array.from({ length: 8 }, (_, n) => stores[n % 2]?.consume(request, `c${n}`)));
    const ids = new Set(asked.map((one) => (one !== undefined && "id" in one ? one.id : "")));
    expect(ids.size).toBe(1);
    const [id = ""] = ids;
    await Promise.all(stores.map((store) => store.decide({ id, approve: true, by: "ann" })));
    await stores[0]?.consume(request, "used");
    expect(changes).toEqual([
      [id, "pending", "shop__refund"],
      [id, "approved", "shop__refund"],
    ]);
  });
});
