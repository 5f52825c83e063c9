import { randomBytes } from "node:crypto";
import { type Cluster, createCluster, createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { isNightly, runs } from "@recourse/test-kit/runs";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  createSchema,
  deleteExpired,
  isDataError,
  type PostgresPool,
  type PostgresQuery,
  postgresIdempotency,
  schemaSql,
} from "../src/postgres/index.ts";
import { PATIENT, patientPool } from "./support/engines.ts";

const hex = () => randomBytes(32).toString("hex");
const OWNER = hex();
const DIGEST = hex();
const CLAIM = { owner: OWNER, deadlineMs: 600_000, honoured: false };
/** How often calls meet: it is chance who is first. */
const MEETINGS = isNightly ? 20 : 5;

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = patientPool(database.url);
  await createSchema(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe("the table", () => {
  it("is made once by many processes at the same time", async () => {
    await Promise.all(Array.from({ length: 8 }, () => createSchema(pool, { table: "same" })));
    await createSchema(pool, { table: "same" });
    expect((await pool.query("select count(*)::int as rows from same")).rows).toEqual([{ rows: 0 }]);
  });

  it("may lie in a schema, and be made by a migration of your own", async () => {
    await pool.query(`create schema app; ${schemaSql({ table: "app.keys" })}`);
    const store = postgresIdempotency({ ...PATIENT, pool, table: "app.keys" });
    const state = await store.begin(hex(), DIGEST, CLAIM);
    expect(state).toMatchObject({ state: "new" });
    expect((await pool.query("select count(*)::int as rows from app.keys")).rows).toEqual([{ rows: 1 }]);
  });

  it.each(["", "a b", 'a"b', "a.b.c", "1a", "a;drop table x"])("cannot be called %j", (table) => {
    expect(() => postgresIdempotency({ ...PATIENT, pool, table })).toThrow(TypeError);
    expect(() => schemaSql({ table })).toThrow(TypeError);
  });

  it("keeps outcomes with the character 0, and of one that it refuses that the call has ended", async () => {
    const table = "refusing";
    await createSchema(pool, { table });
    await pool.query(`alter table ${table} add check (outcome <> 'refused')`);
    const store = postgresIdempotency({ ...PATIENT, pool, table });
    const settle = async (outcome: string) => {
      const key = hex();
      const state = await store.begin(key, DIGEST, CLAIM);
      if (state.state === "new") await store.settle(key, state.fence, outcome);
      return store.find(key, DIGEST);
    };
    expect(await settle("a\u0000b")).toEqual({ state: "settled", outcome: "a\u0000b" });
    expect(await settle("refused")).toEqual({ state: "settled", outcome: undefined });
  });

  it("counts the new keys of a caller for all processes", async () => {
    const table = "counting";
    await createSchema(pool, { table });
    const windowMs = 3_600_000;
    const options = { ...PATIENT, pool, table, maxKeysPerCaller: 200, keyWindowMs: windowMs };
    const stores = [postgresIdempotency(options), postgresIdempotency(options)];
    const begin = (at: number) =>
      stores[at % 2]?.begin(hex(), DIGEST, CLAIM).then(
        () => "new",
        (error: unknown) => error,
      );
    const all = await Promise.all(Array.from({ length: 300 }, (_, at) => begin(at)));
    const begun = all.filter((one) => one === "new").length;
    expect(begun).toBeGreaterThanOrEqual(200);
    // A hundredth for each process.
    expect(begun).toBeLessThanOrEqual(204);
    const limits = [{ policy: "keys", quota: 200, remaining: 0, windowMs }];
    expect(all.find((one) => one !== "new")).toMatchObject({ fault: { reason: "core/rate_limited", limits } });
    await pool.query(`update ${table}_share set expires = now()`);
    await deleteExpired(pool, { table });
    expect((await pool.query(`select count(*)::int as rows from ${table}_share`)).rows).toEqual([{ rows: 0 }]);
  });

  it("loses rows that are no longer remembered, in batches, and no others", async () => {
    const table = "expiring";
    await createSchema(pool, { table });
    const short = postgresIdempotency({ ...PATIENT, pool, table, keepMs: 1 });
    const long = postgresIdempotency({ ...PATIENT, pool, table });
    const settle = async (store: typeof short, deadlineMs: number | undefined) => {
      const key = hex();
      const state = await store.begin(key, DIGEST, { ...CLAIM, deadlineMs });
      if (state.state === "new") await store.settle(key, state.fence, "{}");
    };
    for (let times = 0; times < 25; times++) await settle(short, 0);
    await settle(long, 0);
    await settle(short, 600_000);
    await short.begin(hex(), DIGEST, { ...CLAIM, deadlineMs: undefined });
    await expect
      .poll(async () => (await pool.query("select count(*)::int as n from expiring where expires <= now()")).rows)
      .toEqual([{ n: 25 }]);
    expect(await deleteExpired(pool, { table, batch: 10, signal: AbortSignal.abort() })).toBe(0);
    expect(await deleteExpired(pool, { table, batch: 10 })).toBe(25);
    expect((await pool.query("select count(*)::int as n from expiring")).rows).toEqual([{ n: 3 }]);
  });

  it("is cleaned while calls come in", async () => {
    const table = "cleaned";
    await createSchema(pool, { table });
    const store = postgresIdempotency({ ...PATIENT, pool, table, keepMs: 1, deleteEveryMs: 0 });
    const old = hex();
    await store.begin(old, DIGEST, { ...CLAIM, deadlineMs: 0 });
    await expect
      .poll(async () => {
        await store.begin(hex(), DIGEST, CLAIM);
        return (await pool.query("select 1 from cleaned where key = $1", [Buffer.from(old, "hex")])).rows.length;
      })
      .toBe(0);
    await store.close();
  });
});

describe("statements", () => {
  const sent: PostgresQuery[] = [];
  const watched: PostgresPool = {
    query: (query) => {
      sent.push(query);
      return pool.query(query);
    },
  };

  it("are one for a new key, two for a known one, and one for its end", async () => {
    const store = postgresIdempotency({ ...PATIENT, pool: watched });
    const key = hex();
    const took = async (work: () => Promise<unknown>) => {
      sent.length = 0;
      const result = await work();
      return [sent.length, result];
    };
    const [begun, state] = await took(() => store.begin(key, DIGEST, CLAIM));
    expect(begun).toBe(1);
    const { fence } = state as { fence: number };
    expect(await took(() => store.begin(key, DIGEST, CLAIM))).toEqual([2, { state: "running" }]);
    expect((await took(() => store.settle(key, fence, "{}")))[0]).toBe(1);
    expect(await took(() => store.begin(key, DIGEST, CLAIM))).toEqual([2, { state: "settled", outcome: "{}" }]);
  });

  it("are one for all keys that are claimed at the same time, and one for their ends", async () => {
    const store = postgresIdempotency({ ...PATIENT, pool: watched });
    const keys = Array.from({ length: 11 }, hex);
    sent.length = 0;
    const states = await Promise.all(keys.map((key) => store.begin(key, DIGEST, CLAIM)));
    expect(states.map(({ state }) => state)).toEqual(keys.map(() => "new"));
    expect(sent).toHaveLength(1);
    const settle = (key: string, at: number) => {
      const state = states[at];
      return state?.state === "new" ? store.settle(key, state.fence, `outcome ${at}`) : undefined;
    };
    await Promise.all(keys.map(settle));
    expect(sent).toHaveLength(2);
    const found = await Promise.all(keys.map((key) => store.find(key, DIGEST)));
    expect(found).toEqual(keys.map((_, at) => ({ state: "settled", outcome: `outcome ${at}` })));
  });

  it("for many keys never wait for each other in a circle", async () => {
    const failures: unknown[] = [];
    const pool = {
      query: (query: PostgresQuery) =>
        watched.query(query).catch((cause) => Promise.reject(failures.push(cause) && cause)),
    };
    const stores = Array.from({ length: 4 }, () => postgresIdempotency({ ...PATIENT, pool }));
    for (let times = 0; times < MEETINGS; times++) {
      const keys = Array.from({ length: 16 }, hex);
      const orders = stores.map((_, at) => (at % 2 === 0 ? keys : keys.toReversed()));
      const begun = stores.flatMap((store, at) => (orders[at] ?? []).map((key) => store.begin(key, DIGEST, CLAIM)));
      const states = await Promise.all(begun);
      expect(states.filter(({ state }) => state === "new")).toHaveLength(keys.length);
    }
    expect(failures).toEqual([]);
  });

  it.each([true, false])("are prepared where it is wished: %s", async (prepare) => {
    const store = postgresIdempotency({ ...PATIENT, pool: watched, prepare });
    sent.length = 0;
    const key = hex();
    const state = await store.begin(key, DIGEST, CLAIM);
    if (state.state === "new") await store.release(key, state.fence);
    expect(sent.map(({ name }) => name !== undefined)).toEqual([prepare, prepare]);
    expect(await store.begin(key, DIGEST, CLAIM)).toMatchObject({ state: "new" });
  });
});

describe("calls at the same time", () => {
  it("are answered as they are one after the other", async () => {
    for (const table of ["together", "alone"]) await createSchema(pool, { table });
    const tables = { together: sideOf(pool, "together"), alone: sideOf(pool, "alone") };
    const step = fc.record({
      verb: fc.constantFrom("begin" as const, "begin" as const, "settle" as const, "release" as const),
      key: fc.nat(7),
      digest: fc.nat(1),
      times: fc.integer({ min: 1, max: 3 }),
      // The last one is refused by PostgreSQL, and fails its own call only.
      outcome: fc.constantFrom("{}", "\u00e4\u0000", '"\\', "refused"),
      isBad: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    });
    const round = fc.uniqueArray(step, { maxLength: 8, selector: ({ key }) => key });
    for (const table of ["together", "alone"])
      await pool.query(`alter table ${table} add check (outcome <> 'refused')`);
    await fc.assert(
      fc.asyncProperty(fc.array(round, { maxLength: 6 }), async (rounds) => {
        const run = hex();
        tables.together.clear();
        tables.alone.clear();
        for (const steps of rounds) {
          const calls = steps.flatMap((one) => Array.from({ length: one.verb === "begin" ? one.times : 1 }, () => one));
          const together = await Promise.all(calls.map((call) => tables.together.call(run, call)));
          const alone: string[] = [];
          for (const call of calls) alone.push(await tables.alone.call(run, call));
          // Of those who claim one key, any may be the first.
          expect(together.toSorted()).toEqual(alone.toSorted());
          expect(await tables.together.known(run)).toEqual(await tables.alone.known(run));
        }
      }),
      { numRuns: isNightly ? runs(25) : 8 },
    );
  });
});

interface SideCall {
  readonly verb: "begin" | "settle" | "release";
  readonly key: number;
  readonly digest: number;
  readonly outcome: string;
  readonly isBad: boolean;
}

/** A store on a table of its own, and who holds which key there. */
function sideOf(pool: pg.Pool, table: string) {
  const store = postgresIdempotency({ ...PATIENT, pool, table });
  const fences = new Map<number, number>();
  const digestOf = (digest: number) => `${digest}0`.repeat(32);
  const keyOf = (run: string, key: number) => `${run.slice(2)}0${key}`;
  return {
    clear: () => fences.clear(),
    async call(run: string, { verb, key, digest, outcome, isBad }: SideCall): Promise<string> {
      const fence = fences.get(key) ?? 0;
      if (verb === "settle") await store.settle(keyOf(run, key), fence, outcome);
      else if (verb === "release") await store.release(keyOf(run, key), fence);
      else {
        const text = isBad ? "no hexadecimal text" : keyOf(run, key);
        const state = await store
          .begin(text, digestOf(digest), CLAIM)
          .catch((cause: unknown) => ({ state: isDataError(cause) }));
        if (state.state === "new" && "fence" in state) fences.set(key, state.fence);
        return `${key} ${JSON.stringify({ ...state, fence: undefined })}`;
      }
      return `${key} ${verb}`;
    },
    known: (run: string) =>
      Promise.all(Array.from({ length: 8 }, (_, key) => store.find(keyOf(run, key), digestOf(0)))),
  };
}

describe("names of prepared statements", () => {
  it("differ for tables whose long names end alike", async () => {
    // One connection, which knows the statements of both.
    const pool = patientPool(database.url, { max: 1 });
    const name = "keys_".repeat(11);
    await pool.query("create schema one; create schema two");
    for (const schema of ["one", "two"]) {
      const table = `${schema}.${name}`;
      await createSchema(pool, { table });
      const store = postgresIdempotency({ ...PATIENT, pool, table });
      const key = hex();
      expect(await store.begin(key, DIGEST, CLAIM)).toMatchObject({ state: "new" });
      expect(await store.begin(key, DIGEST, CLAIM)).toEqual({ state: "running" });
    }
    await pool.end();
  });
});

describe.each(["repeatable read", "serializable"])("where transactions are %s unless they say otherwise", (level) => {
  it("of many who claim a key at once, or take it over, one may run and the others are told so", async () => {
    const url = new URL(database.url);
    url.searchParams.set("options", `-c default_transaction_isolation=${level.replace(" ", "\\ ")}`);
    const pool = patientPool(url.href);
    expect((await pool.query("show transaction_isolation")).rows).toEqual([{ transaction_isolation: level }]);
    const store = postgresIdempotency({ ...PATIENT, pool });
    for (let times = 0; times < MEETINGS; times++) {
      const key = hex();
      const race = async (claim: typeof CLAIM) => {
        const states = await Promise.all(Array.from({ length: 8 }, () => store.begin(key, DIGEST, claim)));
        return states.map(({ state }) => state).toSorted();
      };
      const expected = ["new", ...Array.from({ length: 7 }, () => "running")];
      expect(await race(CLAIM)).toEqual(expected);
      await pool.query("update recourse_idempotency set deadline = now()");
      expect(await race({ ...CLAIM, honoured: true })).toEqual(expected);
    }
    await pool.end();
  });
});

describe("what a crash of the database loses", () => {
  let cluster: Cluster;
  let client: pg.Client;
  /** The process that writes what no commit has waited for. While it is stopped, only commits that wait write to disk. */
  let writer = 0;
  beforeAll(async () => {
    // No other process changes anything.
    const quiet = ["autovacuum=off", "wal_level=minimal", "max_wal_senders=0"];
    cluster = await createCluster({ settings: ["fsync=off", ...quiet] });
    client = new pg.Client({ connectionString: cluster.url });
    client.on("error", () => {});
    await client.connect();
    await createSchema(client);
    const sql = "select pid from pg_stat_activity where backend_type = 'walwriter'";
    writer = (await client.query<{ pid: number }>(sql)).rows[0]?.pid ?? 0;
    process.kill(writer, "SIGSTOP");
  });
  afterAll(async () => {
    await client?.end().catch(() => {});
    await cluster?.close();
  });

  it.each(["on", "off"])("is never a claim, and may be an outcome: synchronous_commit = %s", async (setting) => {
    await client.query(`set synchronous_commit = ${setting}`);
    const store = postgresIdempotency({ ...PATIENT, pool: client });
    const key = hex();
    const isOnDisk = async () => {
      const sql = "select pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn() as yes";
      return (await client.query<{ yes: boolean }>(sql)).rows[0]?.yes;
    };
    const state = await store.begin(key, DIGEST, CLAIM);
    expect([state.state, await isOnDisk()]).toEqual(["new", true]);
    if (state.state === "new") await store.settle(key, state.fence, "{}");
    expect(await isOnDisk()).toBe(false);
    // The connection is as before.
    expect((await client.query("show synchronous_commit")).rows).toEqual([{ synchronous_commit: setting }]);
  });

  it("an outcome that was lost leaves its key claimed", async () => {
    const key = hex();
    const store = postgresIdempotency({ ...PATIENT, pool: client });
    const state = await store.begin(key, DIGEST, { ...CLAIM, deadlineMs: 1 });
    if (state.state === "new") await store.settle(key, state.fence, "{}");
    expect(await store.begin(key, DIGEST, CLAIM)).toEqual({ state: "settled", outcome: "{}" });
    // When one of its processes has crashed, PostgreSQL begins anew with what is on disk.
    process.kill(writer, "SIGKILL");
    const pool = patientPool(cluster.url);
    const after = postgresIdempotency({ ...PATIENT, pool });
    await expect.poll(() => after.begin(key, DIGEST, CLAIM).catch(String)).toEqual({ state: "unknown" });
    await after.close();
    await pool.end();
  });
});
