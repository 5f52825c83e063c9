// Keys after a restore: the table knows only those from before the backup.
import { randomBytes } from "node:crypto";
import { toFault } from "@recourse/core/reasons";
import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import type pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { createSchema, deleteExpired, holdKeys, postgresIdempotency, readHold } from "../src/postgres/index.ts";
import { PATIENT, patientPool } from "./support/engines.ts";

const hex = () => randomBytes(32).toString("hex");
const DIGEST = hex();
const CLAIM = { owner: hex(), deadlineMs: 60_000, honoured: false };
const HONOURED = { ...CLAIM, honoured: true };
const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR);

let database: TestDatabase;
let pool: pg.Pool;
let table: string;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = patientPool(database.url);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  table = `keys_${hex().slice(0, 8)}`;
  await createSchema(pool, { table });
});

const refusal = (begun: Promise<unknown>) =>
  begun.then(
    (state) => ({ state }),
    (thrown: unknown) => toFault(thrown),
  );

it("refuses keys that are not known, with the true wait, and answers those that are", async () => {
  const store = postgresIdempotency({ ...PATIENT, pool, table });
  const known = hex();
  const begun = await store.begin(known, DIGEST, CLAIM);
  if (begun.state === "new") await store.settle(known, begun.fence, "1");
  await holdKeys(pool, { table, until: inHours(2) });

  const fault = await refusal(store.begin(hex(), DIGEST, CLAIM));
  expect(fault).toMatchObject({ kind: "unavailable", effect: "none", retry: { allowed: true } });
  const waitMs = "retry" in fault ? fault.retry.afterMs : undefined;
  expect(waitMs).toBeGreaterThan(HOUR);
  expect(waitMs).toBeLessThanOrEqual(2 * HOUR);
  expect(await store.begin(known, DIGEST, CLAIM)).toEqual({ state: "settled", outcome: "1" });
  expect(await store.find(hex(), DIGEST)).toEqual({ state: "absent" });
});

it("refuses a key that has expired: it may have been used again since the backup", async () => {
  const store = postgresIdempotency({ ...PATIENT, pool, table, keepMs: 1 });
  const key = hex();
  const begun = await store.begin(key, DIGEST, CLAIM);
  if (begun.state === "new") await store.settle(key, begun.fence, "1");
  await pool.query(`update ${table} set expires = now() - interval '1 second'`);
  await holdKeys(pool, { table, until: inHours(2) });
  expect(await refusal(store.begin(key, DIGEST, CLAIM))).toMatchObject({ kind: "unavailable", effect: "none" });
  expect(await store.begin(key, DIGEST, HONOURED)).toMatchObject({ state: "new" });
});

it("lets calls pass whose upstream runs each key once by itself, also beside others in one statement", async () => {
  const store = postgresIdempotency({ ...PATIENT, pool, table });
  await holdKeys(pool, { table, until: inHours(2) });
  const claims = Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? CLAIM : HONOURED));
  const ends = await Promise.all(claims.map((claim) => refusal(store.begin(hex(), DIGEST, claim))));
  expect(ends.map((end) => ("state" in end ? "passes" : end.effect))).toEqual(
    claims.map(({ honoured }) => (honoured ? "passes" : "none")),
  );
});

it("ends by itself, and leaves nothing behind", async () => {
  const store = postgresIdempotency({ ...PATIENT, pool, table });
  await holdKeys(pool, { table, until: inHours(2) });
  const key = hex();
  expect(await refusal(store.begin(key, DIGEST, CLAIM))).toMatchObject({ effect: "none" });
  // Two hours later.
  await pool.query(`update ${table} set expires = expires - interval '2 hours'`);
  expect(await readHold(pool, { table })).toBeUndefined();
  expect(await store.begin(key, DIGEST, CLAIM)).toMatchObject({ state: "new" });
  await deleteExpired(pool, { table });
  expect((await pool.query(`select 1 from ${table}`)).rowCount).toBe(1);
});

it("is never shortened by a second one, and survives the deletion of expired keys", async () => {
  const until = inHours(2);
  await holdKeys(pool, { table, until });
  await holdKeys(pool, { table, until: inHours(1) });
  await deleteExpired(pool, { table });
  expect(await readHold(pool, { table })).toEqual(until);
});

it("a refused call holds nothing: no share of its caller, and no claim", async () => {
  const store = postgresIdempotency({ ...PATIENT, pool, table, maxKeysPerCaller: 1 });
  await holdKeys(pool, { table, until: inHours(2) });
  for (let calls = 0; calls < 3; calls++)
    expect(await refusal(store.begin(hex(), DIGEST, CLAIM))).toMatchObject({ kind: "unavailable" });
  await pool.query(`delete from ${table} where key = ''`);
  expect(await store.begin(hex(), DIGEST, CLAIM)).toMatchObject({ state: "new" });
  expect((await pool.query(`select 1 from ${table}`)).rowCount).toBe(1);
});

it("says what is wrong with a time", async () => {
  await expect(holdKeys(pool, { table, until: new Date("soon") })).rejects.toThrow(RangeError);
});
