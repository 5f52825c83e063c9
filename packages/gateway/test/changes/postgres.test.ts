// Changes and processes in a real PostgreSQL.

import { flakyProxy } from "@recourse/test-kit/network";
import { createTestDatabase, openPool, type TestDatabase } from "@recourse/test-kit/postgres";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { postgresAudit } from "../../src/changes/audit.ts";
import { type Change, type ChangeStore, Changes } from "../../src/changes/changes.ts";
import { createChangeTables, postgresChanges } from "../../src/changes/postgres-changes.ts";
import { postgresReplicas } from "../../src/changes/replicas.ts";

const START = Date.parse("2026-11-18T12:00:00.000Z");
const OBSERVER = { log: () => {}, unexpected: () => {} };

let database: TestDatabase;
let pool: pg.Pool;
let audit: ReturnType<typeof postgresAudit>;
let ids = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool(database.url);
  audit = postgresAudit(pool);
  await createChangeTables(pool);
});
beforeEach(() => database.query("truncate gateway_event, gateway_replica"));
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** A store that tells what it keeps for the first time. */
function telling(store: ChangeStore, recorded: Change[]): ChangeStore {
  const add = async (waiting: Parameters<ChangeStore["add"]>[0]) => {
    const added = await store.add(waiting);
    recorded.push(...added);
    return added;
  };
  return { ...store, add };
}

/** The changes of one process. */
function replica(name: string, on: pg.Pool = pool) {
  const clock = { ms: START };
  const recorded: Change[] = [];
  const changes = new Changes({ now: () => clock.ms, createId: () => `id-${++ids}`, retryMs: 20 });
  changes.attach(telling(postgresChanges(on, OBSERVER), recorded), name);
  onTestFinished(() => changes.close());
  return { changes, clock, recorded };
}

const flip = { upstream: "shop", what: "opened", epoch: "1763467200000", failures: undefined } as const;

describe("changes in PostgreSQL", () => {
  it("keep one row of a breaker that eight replicas saw open, with all that one of them knew", async () => {
    const all = Array.from({ length: 8 }, (_, at) => replica(`edge-${at}`));
    for (const [at, { changes }] of all.entries()) changes.flipped({ ...flip, failures: at === 5 ? 5 : undefined });
    for (const { changes } of all) changes.flipped({ ...flip, tool: "pay" });
    await Promise.all(all.map(({ changes }) => changes.close()));
    expect(all.flatMap(({ recorded }) => recorded)).toHaveLength(2);
    const { items } = await (all[0] as (typeof all)[0]).changes.list({ limit: 10 });
    expect(items.map(({ kind, what, target, facts }) => [kind, what, target, facts])).toEqual(
      expect.arrayContaining([
        ["breaker", "opened", "shop", { failures: 5 }],
        ["breaker", "opened", "shop", { tool: "pay" }],
      ]),
    );
    expect(items).toHaveLength(2);
  });

  it("merge equal changes of several replicas within their time, and not beyond it", async () => {
    const all = [replica("a"), replica("b"), replica("c")];
    const away = { kind: "store", what: "away", target: "limits", facts: { answer: "open" }, mergeMs: 5_000 } as const;
    for (const [at, { changes, clock }] of all.entries()) {
      clock.ms = START + at * 4_000;
      changes.record(away);
      await changes.close();
    }
    expect(all.map(({ recorded }) => recorded.length)).toEqual([1, 0, 1]);
  });

  it("are listed with the audit, by time, filters and pages", async () => {
    const { changes, clock, recorded } = replica("edge-1");
    for (let at = 0; at < 5; at += 1) {
      changes.record({ kind: "process", what: "started", target: "edge", facts: { at } });
      await audit.record({ by: "ann", action: "console.sign-in", target: "ann", facts: { at } });
    }
    await expect.poll(() => recorded.length).toBe(5);
    // All at one moment, which is the hardest case for pages.
    await database.query(`update gateway_event set at = '2026-11-18T12:00:00Z'`);
    clock.ms += 1_000;
    changes.record({ kind: "config", what: "taken-over", target: "configuration", facts: { options: ["deadline"] } });
    await expect.poll(() => recorded.length).toBe(6);
    const all = (await changes.list({ limit: 200 })).items;
    expect(all[0]?.kind).toBe("config");
    expect(all.slice(1).map(({ id }) => Number(id))).toEqual(
      all
        .slice(1)
        .map(({ id }) => Number(id))
        .toSorted((one, other) => other - one),
    );
    expect(all[0]).toEqual({ ...recorded.at(-1), by: undefined });
    expect(all.findLast(({ kind }) => kind === "operator")).toMatchObject({
      ...{ what: "console.sign-in", by: "ann", facts: { at: 0 } },
    });
    for (const limit of [1, 2, 3, 7]) {
      const paged: string[] = [];
      let before: string | undefined;
      do {
        const page = await changes.list({ limit, before });
        paged.push(...page.items.map(({ id }) => id));
        before = page.next ?? undefined;
      } while (before !== undefined);
      expect(paged).toEqual(all.map(({ id }) => id));
    }
    expect((await changes.list({ limit: 9, kind: "operator" })).items).toHaveLength(5);
    expect((await changes.list({ limit: 9, target: "configuration" })).items).toHaveLength(1);
    expect((await changes.list({ limit: 99, until: "2026-11-18T12:00:01Z" })).items).toHaveLength(10);
    expect((await changes.list({ limit: 99, since: "2026-11-18T12:00:01Z" })).items).toHaveLength(1);
  });

  it("wait while the database is down, and none is lost or doubled", async () => {
    const proxy = await flakyProxy(database.url);
    const own = openPool(proxy.url, { connectionTimeoutMillis: 500 });
    own.on("error", () => {});
    const { changes, recorded } = replica("edge-1", own);
    proxy.disconnect();
    for (let at = 0; at < 50; at += 1) changes.record({ kind: "store", what: "away", target: `part${at}`, facts: {} });
    await expect(changes.list({ limit: 1 })).rejects.toThrow();
    proxy.reconnect();
    await expect.poll(() => recorded.length, { timeout: 20_000 }).toBe(50);
    const [row] = await database.query("select count(*)::int as n from gateway_event");
    expect(row).toEqual({ n: 50 });
    await changes.close();
    await own.end();
    await proxy.close();
  });

  it("leave out what the database refuses, and keep the rest", async () => {
    const { changes, recorded } = replica("edge-1");
    changes.record({ kind: "store", what: "away", target: "a", facts: { answer: "nul \u0000" } });
    changes.record({ kind: "store", what: "away", target: "nul \u0000", facts: {} });
    await expect.poll(() => recorded.map(({ target }) => target)).toEqual(["nul  "]);
  });

  it("are deleted after 90 days, but for what operators did", async () => {
    await database.query(`insert into gateway_event (at, kind, what, target, replica, facts, once)
      select clock_timestamp() - days * interval '1 day', 'process', 'started', 'edge', 'r', '{}', days::text
      from generate_series(88, 93) as days`);
    await audit.record({ by: "ann", action: "key.add", target: "ci", facts: {} });
    await database.query(`update gateway_event set at = at - interval '1 year' where kind = 'operator'`);
    const store = postgresChanges(pool, OBSERVER, { deleteEveryMs: 10 });
    const count = async () => (await database.query("select count(*)::int as n from gateway_event"))[0];
    await expect.poll(count).toEqual({ n: 3 });
    store.close();
  });
});

describe("processes in PostgreSQL", () => {
  it("are listed while they live, the oldest first, and are gone when they end", async () => {
    const own = (id: string, key: string) => ({
      ...{ id, key, version: "0.1.0", startedAt: `2026-11-18T12:00:0${key}.000Z` },
      parts: () => ({ database: "works", limits: "away" }) as const,
    });
    const [second, first] = ["2", "1"].map((key) =>
      postgresReplicas(pool, own(`edge-${key}`, key), { observer: OBSERVER, beatMs: 20 }),
    );
    const listed = async () => (await second?.list())?.map(({ id }) => id);
    await expect.poll(listed).toEqual(["edge-1", "edge-2"]);
    const seenAt = async () => (await second?.list())?.[0]?.seenAt ?? "";
    const before = await seenAt();
    await expect.poll(seenAt).not.toBe(before);
    expect((await second?.list())?.[0]).toMatchObject({
      version: "0.1.0",
      startedAt: "2026-11-18T12:00:01.000Z",
      parts: { database: "works", limits: "away" },
    });
    await first?.close();
    expect(await listed()).toEqual(["edge-2"]);
    await database.query("update gateway_replica set seen = seen - interval '11 minutes'");
    await second?.close();
    expect(await second?.list()).toEqual([]);
  });
});
