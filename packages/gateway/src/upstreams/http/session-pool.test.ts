import { core } from "@recourse/core/reasons";
import { describe, expect, it } from "vitest";
import { EVERY_ABILITY, fromFlags, NO_ABILITIES, toFlags } from "../../call/abilities.ts";
import type { SessionStore } from "../../stores/redis.ts";
import type { OpenSession } from "./negotiate.ts";
import { SessionPool, type SessionPoolOptions, UpstreamSession } from "./session-pool.ts";

const wait = {
  holder: { id: "ann", tenant: "acme" },
  signal: new AbortController().signal,
  timeoutMs: 60_000,
  abilities: EVERY_ABILITY,
};
const SPARE = { id: "spare", version: "2025-11-25" };

/** A pool whose upstream opens the sessions 1, 2, 3 … */
function poolOf(more: Partial<SessionPoolOptions> = {}, spare: OpenSession = SPARE) {
  const ended: (string | undefined)[] = [];
  const clock = { nowMs: 0 };
  let opened = 0;
  const options: SessionPoolOptions = {
    open: async () => {
      opened += 1;
      return { id: String(opened), version: "2025-06-18" };
    },
    end: async ({ id }) => void ended.push(id),
    store: undefined,
    name: "shop",
    maxSessions: 100,
    idleMs: 1_000,
    now: () => clock.nowMs,
    idBase: 0,
    ...more,
  };
  return { pool: new SessionPool(options, spare), ended, clock, opened: () => opened };
}

async function idOf(session: ReturnType<SessionPool["get"]>): Promise<string | undefined> {
  const found = await session;
  return found instanceof UpstreamSession ? found.id : found.fault.reason;
}

/** What all replicas would share. */
function memoryStore(): SessionStore & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    find: async (key) => kept.get(key),
    async keep(key, value, before) {
      const now = kept.get(key);
      if (now === undefined || now === before) kept.set(key, value);
      return kept.get(key) ?? value;
    },
    touch: () => {},
    forget: async (key) => kept.delete(key),
  };
}

it("gives the session of the negotiation to the first key, and others their own", async () => {
  const { pool, opened } = poolOf();
  const ids = await Promise.all(["a", "b", "a", "c"].map((key) => idOf(pool.get(key, wait))));
  expect(ids).toEqual(["spare", "1", "spare", "2"]);
  expect(pool.get("a", wait)).toBeInstanceOf(UpstreamSession);
  expect(opened()).toBe(2);
});

it("gives the session of the negotiation to nobody who can be asked something else", async () => {
  const told: string[] = [];
  const open = async (abilities: typeof NO_ABILITIES) => {
    told.push(toFlags(abilities));
    return { id: `own ${told.length}`, version: "2025-11-25" };
  };
  const { pool } = poolOf({ open });
  expect(await idOf(pool.get("a", { ...wait, abilities: undefined }))).toBe("own 1");
  expect(await idOf(pool.get("b", { ...wait, abilities: NO_ABILITIES }))).toBe("own 2");
  expect(await idOf(pool.get("c", { ...wait, abilities: fromFlags("fr") }))).toBe("own 3");
  expect(await idOf(pool.get("d", wait))).toBe("spare");
  expect(told).toEqual(["", "", "fr"]);
});

it("ends a session that was just being opened when its caller ended it", async () => {
  const opening = Promise.withResolvers<OpenSession>();
  const { pool, ended } = poolOf({ open: () => opening.promise });
  const got = pool.get("a", { ...wait, abilities: NO_ABILITIES });
  const dropped = pool.drop("a", wait.holder);
  opening.resolve({ id: "late", version: "2025-11-25" });
  await Promise.all([got, dropped]);
  expect(ended).toEqual(["late"]);
  expect(await pool.find("a", wait)).toBeUndefined();
});

it("finds a session without opening one", async () => {
  const store = memoryStore();
  const { pool, opened } = poolOf({ store });
  expect(await pool.find("a", wait)).toBeUndefined();
  const session = await pool.get("a", wait);
  expect(await pool.find("a", wait)).toBe(session);
  const other = poolOf({ store });
  expect(await other.pool.find("a", wait)).toMatchObject({ id: "spare" });
  expect([opened(), other.opened()]).toEqual([0, 0]);
});

it("a session whose stream is in use is not idle", async () => {
  const busy = new Set(["a"]);
  const gone: string[] = [];
  const isBusy = (key: string) => busy.has(key);
  const { pool, clock, ended } = poolOf({ isBusy, onGone: (key) => void gone.push(key) });
  await pool.get("a", wait);
  await pool.get("b", wait);
  clock.nowMs = 1_000;
  pool.sweep();
  await expect.poll(() => ended).toEqual(["1"]);
  busy.clear();
  clock.nowMs = 2_000;
  pool.sweep();
  await expect.poll(() => ended).toEqual(["1", "spare"]);
  expect(gone).toEqual(["b", "a"]);
});

it("ends the session of a key that is not needed any more, wherever it was opened", async () => {
  const store = memoryStore();
  const one = poolOf({ store });
  const other = poolOf({ store });
  await one.pool.get("a", wait);
  await other.pool.drop("a", wait.holder);
  expect(other.ended).toEqual(["spare"]);
  expect(store.kept.size).toBe(0);
  await one.pool.drop("b", wait.holder);
  expect(one.ended).toEqual([]);
});

it("never gives the same id of a message twice in a session", async () => {
  const { pool } = poolOf({ idBase: 1_000 });
  const session = (await pool.get("a", wait)) as UpstreamSession;
  expect([session.nextId(), session.nextId()]).toEqual(["1001", "1002"]);
});

it("a session that is gone is replaced once for all who notice", async () => {
  const { pool, opened } = poolOf();
  const gone = (await pool.get("a", wait)) as UpstreamSession;
  const renewed = await Promise.all([1, 2, 3].map(() => idOf(pool.renew("a", gone, wait))));
  expect(renewed).toEqual(["1", "1", "1"]);
  expect(await idOf(pool.renew("a", gone, wait))).toBe("1");
  expect(opened()).toBe(1);
});

it("a failure is not kept", async () => {
  let isAway = true;
  const fault = core.unavailable.fault({}, { effect: "none" });
  const open = async () => (isAway ? { fault, cause: undefined } : { id: "new", version: "2025-11-25" });
  const { pool } = poolOf({ open });
  await pool.get("a", wait);
  expect(await idOf(pool.get("b", wait))).toBe("core/unavailable");
  isAway = false;
  expect(await idOf(pool.get("b", wait))).toBe("new");
});

it("waits no longer than the caller", async () => {
  const { pool } = poolOf({ open: () => new Promise(() => {}) });
  await pool.get("a", wait);
  expect(await idOf(pool.get("b", { ...wait, timeoutMs: 10 }))).toBe("transport/not_sent");
  expect(await idOf(pool.get("b", { ...wait, signal: AbortSignal.abort() }))).toBe("core/cancelled");
});

it("an upstream without sessions has one for all", async () => {
  const { pool, opened } = poolOf({}, { id: undefined, version: "2025-11-25" });
  expect(pool.get("a", wait)).toBe(pool.get("b", wait));
  expect(opened()).toBe(0);
});

describe("ends sessions", () => {
  it("that are idle", async () => {
    const { pool, ended, clock } = poolOf();
    await pool.get("a", wait);
    await pool.get("b", wait);
    clock.nowMs = 900;
    await pool.get("b", wait);
    clock.nowMs = 1_000;
    pool.sweep();
    await expect.poll(() => ended).toEqual(["spare"]);
    expect(await idOf(pool.get("a", wait))).toBe("2");
  });

  it("that were used longest ago, where there are too many", async () => {
    const { pool, ended, clock } = poolOf({ maxSessions: 10 });
    for (let key = 0; key <= 10; key++) {
      clock.nowMs = key;
      await pool.get(String(key), wait);
    }
    await expect.poll(() => ended).toEqual(["spare"]);
  });

  it("of the caller that has the most, whoever used theirs last", async () => {
    const { pool, ended, clock } = poolOf({ maxSessions: 100, idleMs: 1_000_000 });
    const of = (id: string, tenant: string) => ({ ...wait, holder: { id, tenant } });
    await pool.get("bob's", of("bob", "acme"));
    await pool.get("eve's", of("eve", "other"));
    const kept = [await idOf(pool.get("bob's", wait)), await idOf(pool.get("eve's", wait))];
    for (let key = 0; key < 1_000; key++) {
      clock.nowMs += 1;
      await pool.get(`invented ${key}`, of("mallory", "acme"));
    }
    await expect.poll(() => ended.length).toBeGreaterThan(850);
    expect(ended.filter((id) => kept.includes(id))).toEqual([]);
    expect(pool.get("bob's", wait)).toMatchObject({ id: kept[0] });
    expect(pool.get("eve's", wait)).toMatchObject({ id: kept[1] });
  });

  it("at the end", async () => {
    const { pool, ended } = poolOf();
    await pool.get("a", wait);
    await pool.get("b", wait);
    await pool.close();
    expect(ended.toSorted()).toEqual(["1", "spare"]);
  });
});

describe("shared with other replicas", () => {
  it("a session that another has opened is used", async () => {
    const store = memoryStore();
    const one = poolOf({ store });
    const other = poolOf({ store });
    expect(await idOf(one.pool.get("a", wait))).toBe("spare");
    expect(await idOf(other.pool.get("a", wait))).toBe("spare");
    await one.pool.close();
    expect(one.ended).toEqual([]);
  });

  it("one that another has replaced is not opened again", async () => {
    const store = memoryStore();
    const one = poolOf({ store });
    const other = poolOf({ store });
    const gone = (await one.pool.get("a", wait)) as UpstreamSession;
    const alsoGone = (await other.pool.get("a", wait)) as UpstreamSession;
    expect(await idOf(one.pool.renew("a", gone, wait))).toBe("1");
    expect(await idOf(other.pool.renew("a", alsoGone, wait))).toBe("1");
    expect(other.opened()).toBe(0);
  });

  it("one that is gone is replaced also where the store was too late to find it", async () => {
    const store = memoryStore();
    let isLate = false;
    const find = async (key: string) => (isLate ? undefined : store.find(key));
    const { pool } = poolOf({ store: { ...store, find } });
    const gone = (await pool.get("a", wait)) as UpstreamSession;
    isLate = true;
    expect(await idOf(pool.renew("a", gone, wait))).toBe("1");
    expect(store.kept.get("shop\na")).toBe('["1","2025-06-18"]');
  });

  it("of two that are opened at one time, one is ended", async () => {
    const store = memoryStore();
    const { pool, ended } = poolOf({ store: { ...store, keep: async () => '["first","2025-11-25"]' } });
    expect(await idOf(pool.get("a", wait))).toBe("first");
    expect(ended).toEqual(["spare"]);
  });

  it.each(["", "nonsense", '["a\\nb","x"]', "[1]", "{}"])("what cannot be read is not used: %j", async (kept) => {
    const store = memoryStore();
    store.kept.set("shop\na", kept);
    const { pool } = poolOf({ store });
    expect(await idOf(pool.get("a", wait))).toBe("spare");
  });
});
