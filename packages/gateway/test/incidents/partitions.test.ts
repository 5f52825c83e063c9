import { expect, it, onTestFinished } from "vitest";
import { Recorder } from "../../src/incidents/record.ts";
import { Spool } from "../../src/incidents/spool.ts";
import { createIncidentTables } from "../../src/incidents/tables.ts";
import { writeBatch } from "../../src/incidents/writer.ts";
import { INCIDENTS, idOf, incidentWith, openReplica, poolOf, testDatabase } from "./support.ts";

const DAY_MS = 86_400_000;
const PARTITIONS = `select c.relname as name from pg_inherits join pg_class c on c.oid = inhrelid
  where inhparent = 'incident'::regclass order by 1`;

const nameOf = (ms: number) => `incident_${new Date(ms).toISOString().slice(0, 10).replaceAll("-", "")}`;

it("eight replicas that start at once make each partition once, and all write", async () => {
  const database = await testDatabase();
  const replicas = await Promise.all(Array.from({ length: 8 }, () => openReplica(poolOf(database.url))));
  const now = Date.now();
  const names = (await database.query(PARTITIONS)).map((row) => row["name"]);
  expect(names).toEqual(expect.arrayContaining([now - DAY_MS, now, now + DAY_MS, now + 2 * DAY_MS].map(nameOf)));
  for (const one of replicas) for (let count = 0; count < 20; count += 1) one.sink(incidentWith());
  await expect.poll(() => replicas.every((one) => one.state.waiting === 0)).toBe(true);
  await expect(replicas[0]?.reader.findClasses("", 5)).resolves.toMatchObject([{ count: 160 }]);
});

it("a user that owns the database and is no superuser is enough", async () => {
  const database = await testDatabase();
  const role = `role_${Date.now()}_${Math.floor(Math.random() * 1e9)}`;
  await database.query(`create role ${role} login`);
  onTestFinished(
    async () => void (await database.query(`reassign owned by ${role} to current_user; drop role ${role}`)),
  );
  const url = new URL(database.url);
  await database.query(`alter database ${url.pathname.slice(1)} owner to ${role}`);
  url.username = role;
  const incidents = await openReplica(poolOf(url.href));
  incidents.sink(incidentWith());
  await expect.poll(() => incidents.state.waiting).toBe(0);
  expect(incidents.heard.switches).toEqual([]);
  await expect(incidents.reader.search({}, { limit: 5 })).resolves.toHaveLength(1);
});

it("drops the partitions of days that are over, with their counts and fingerprints", async () => {
  const database = await testDatabase();
  const now = Date.now();
  const first = await openReplica(poolOf(database.url));
  const old = incidentWith({ atMs: now - 10 * DAY_MS, tool: "old" });
  const kept = incidentWith({ atMs: now - 2 * DAY_MS, tool: "kept" });
  for (const one of [old, kept]) first.sink(one);
  await expect.poll(() => first.state.waiting).toBe(0);
  await expect(first.reader.find(idOf(old))).resolves.toMatchObject({ tool: "old", at: old.at });
  const second = await openReplica(poolOf(database.url), { keepMs: 5 * DAY_MS });
  await expect(second.reader.find(idOf(old))).resolves.toBeUndefined();
  await expect(second.reader.find(idOf(kept))).resolves.toMatchObject({ tool: "kept" });
  const ranking = await second.reader.findClasses("", 5);
  expect(ranking.map(({ tool }) => tool)).toEqual(["kept"]);
  expect((await database.query(PARTITIONS)).map((row) => row["name"])).not.toContain(nameOf(now - 10 * DAY_MS));
});

it("an incident of a wrong clock is kept under the time of the database", async () => {
  const database = await testDatabase();
  const incidents = await openReplica(poolOf(database.url));
  const odd = [incidentWith({ atMs: 1_000 }), incidentWith({ atMs: Date.now() + 400 * DAY_MS })];
  for (const one of odd) incidents.sink(one);
  await expect.poll(() => incidents.state.waiting).toBe(0);
  for (const one of odd) {
    const found = await incidents.reader.find(idOf(one));
    expect(Math.abs(Date.parse(found?.at ?? "") - Date.now())).toBeLessThan(2 * DAY_MS);
  }
});

it("makes a partition again that was dropped meanwhile", async () => {
  const database = await testDatabase();
  const incidents = await openReplica(poolOf(database.url));
  const write = async () => {
    incidents.sink(incidentWith());
    await expect.poll(() => incidents.state.waiting).toBe(0);
  };
  await write();
  await database.query(`drop table ${nameOf(Date.now())}`);
  await write();
  await expect(incidents.reader.search({}, { limit: 5 })).resolves.toHaveLength(1);
  expect(incidents.state.dropped).toBe(0);
});

it("a batch that comes twice counts once, also where both come at the same time", async () => {
  const pool = poolOf((await testDatabase()).url);
  await createIncidentTables(pool);
  const recorder = new Recorder({ config: INCIDENTS });
  const spool = new Spool();
  for (let count = 0; count < 10; count += 1) {
    const record = recorder.record(incidentWith());
    if (record !== undefined) spool.add(record);
  }
  const batch = spool.take() ?? expect.fail("nothing waits");
  const send = async (seq: number) => {
    const connection = await pool.connect();
    await writeBatch(connection, { replica: "one", seq, batch, keepMs: INCIDENTS.keepMs, days: new Set() });
    connection.release();
  };
  const total = async () => (await pool.query("select count(*)::int as rows from incident")).rows[0];
  await Promise.all([send(1), send(1), send(1)]);
  await send(1);
  expect(await total()).toEqual({ rows: 10 });
  await send(2);
  expect(await total()).toEqual({ rows: 20 });
  const counts = await pool.query("select width, sum(n)::int as n from incident_count group by 1 order by 1");
  expect(counts.rows).toEqual([
    { width: 1, n: 20 },
    { width: 60, n: 20 },
    { width: 1_440, n: 20 },
  ]);
});
