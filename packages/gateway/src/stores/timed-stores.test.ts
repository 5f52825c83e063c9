import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { openStores } from "./open-stores.ts";
import { statementOp, timedPool } from "./timed-stores.ts";

let redis: RedisServer;
let database: TestDatabase;
beforeAll(async () => {
  [redis, database] = await Promise.all([createRedisServer({ durable: false }), createTestDatabase()]);
});
afterAll(async () => {
  await redis.close();
  await database.drop();
});

/** Time passes only if the test says so. */
function holdTime(...toFake: ("setTimeout" | "clearTimeout" | "performance")[]) {
  vi.useFakeTimers({ toFake });
  onTestFinished(() => void vi.useRealTimers());
}

it("times what the gateway asks of both stores, by the part that asks, also if it fails", async () => {
  holdTime("setTimeout", "clearTimeout");
  const seen: string[] = [];
  const store = { mode: "shared", redis: [redis.url], cluster: false, postgres: database.url } as const;
  const stores = await openStores(
    { store },
    {
      log: () => {},
      storeAnswered(name, op, durationMs) {
        expect(durationMs).toBeGreaterThanOrEqual(0);
        seen.push(`${name} ${op}`);
      },
    },
  );
  onTestFinished(() => stores.close());
  if (stores.mode !== "shared") throw new Error("the stores are not shared");
  seen.length = 0;
  const ask = (key: string, script = "return 1") => stores.redis.eval(script, { keys: [key], arguments: [] });
  expect(await ask("recourse:limits:a")).toBe(1);
  await ask("recourse:breaker:{shop}");
  await ask("recourse:caller-session:a");
  await ask("elsewhere");
  await expect(ask("recourse:session:a", "no script")).rejects.toThrow();
  expect(await stores.redis.publish("nobody", "hello")).toBe("unheard");
  expect(stores.redis.isOneServer).toBe(true);
  expect(seen).toEqual([
    "redis limits",
    "redis breakers",
    "redis sessions",
    "redis other",
    "redis sessions",
    "redis publish",
  ]);
  seen.length = 0;
  expect((await stores.pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
  await expect(stores.pool.query({ text: "select * from gateway_key" })).rejects.toThrow("gateway_key");
  const client = await stores.pool.connect();
  await expect(client.query("select * from incident", [])).rejects.toThrow("incident");
  client.release();
  expect(seen).toEqual([
    ...["postgres connect", "postgres other"],
    ...["postgres connect", "postgres keys"],
    ...["postgres connect", "postgres incidents"],
  ]);
});

it("times the wait for a free connection apart from the statement", async () => {
  holdTime("performance");
  const seen: { readonly op: string; readonly durationMs: number }[] = [];
  const pool = timedPool({ connectionString: database.url, max: 1 }, (op, durationMs) => seen.push({ op, durationMs }));
  onTestFinished(() => pool.end());
  const busy = await pool.connect();
  const waiting = pool.query("select 1");
  vi.advanceTimersByTime(300);
  busy.release();
  await waiting;
  expect(seen.slice(1)).toEqual([
    { op: "connect", durationMs: 300 },
    { op: "other", durationMs: 0 },
  ]);
});

it("tells a database that cannot be reached, and times the attempt", async () => {
  const seen: string[] = [];
  const pool = timedPool({ connectionString: "postgres://postgres@127.0.0.1:1/none" }, (op) => seen.push(op));
  onTestFinished(() => pool.end());
  await expect(pool.query("select 1")).rejects.toThrow();
  expect(seen).toEqual(["connect"]);
});

it.each([
  ["insert into gateway_idempotency_share values (1)", "idempotency"],
  [{ name: "find", text: "select 1 from gateway_approval" }, "approvals"],
  ["select count(*) from upstream_call_count join incident using (id)", "counts"],
  ["create table gateway_schema as select * from gateway_key", "other"],
  ["begin", "other"],
  [{ submit: () => {} }, "other"],
  [undefined, "other"],
])("%j belongs to %s", (statement, op) => {
  expect(statementOp(statement)).toBe(op);
});
