import { type Cluster, createCluster } from "@recourse/test-kit/postgres";
import pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { Recorder } from "../../src/incidents/record.ts";
import { createIncidentTables } from "../../src/incidents/tables.ts";
import { IncidentWriter } from "../../src/incidents/writer.ts";
import { INCIDENTS, idOf, incidentWith, openReplica, poolOf } from "./support.ts";

let server: Cluster;
beforeAll(async () => {
  server = await createCluster();
}, 120_000);
afterAll(() => server.close());

/** A database of its own on the server that tests may kill. */
async function databaseOf(name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.end();
  return Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
}

it("keeps incidents while PostgreSQL is away, and writes them when it is back", async () => {
  const incidents = await openReplica(poolOf(await databaseOf("short_outage")));
  await server.kill();
  const all = Array.from({ length: 50 }, () => incidentWith());
  for (const incident of all) incidents.sink(incident);
  await expect.poll(() => incidents.state.isAway, { timeout: 60_000 }).toBe(true);
  expect(incidents.state).toMatchObject({ waiting: 50, dropped: 0 });
  await expect(incidents.reader.find(idOf(all[0] ?? incidentWith()))).rejects.toThrow();
  await server.start();
  await expect.poll(() => incidents.state.waiting, { timeout: 60_000 }).toBe(0);
  expect(incidents.state).toMatchObject({ dropped: 0, isAway: false });
  expect(incidents.heard.switches).toEqual(["incidents away", "incidents back"]);
  await expect(incidents.reader.search({}, { limit: 100 })).resolves.toHaveLength(50);
  await expect(incidents.reader.findClasses("", 1)).resolves.toMatchObject([{ count: 50 }]);
}, 120_000);

it("gives up samples first, then rows, and no counts where the outage is too long", async () => {
  const pool = poolOf(await databaseOf("long_outage"));
  await createIncidentTables(pool);
  const recorder = new Recorder({ config: { ...INCIDENTS, samplesPerMinute: 1_000 } });
  const { keepMs } = INCIDENTS;
  const bounds = { maxRows: 100, maxBytes: 60_000, maxTallies: 2 };
  const writer = new IncidentWriter({ pool, replica: "one", keepMs, onSwitch: () => {}, ...bounds });
  onTestFinished(() => writer.close().then(() => {}));
  await server.kill();
  const records = Array.from({ length: 300 }, (_, index) =>
    recorder.record(incidentWith({ tool: `tool-${index % 9}` })),
  );
  for (const record of records) if (record !== undefined) writer.add(record);
  expect(writer).toMatchObject({ waiting: 100, dropped: 200 });
  await server.start();
  await expect.poll(() => writer.waiting, { timeout: 60_000 }).toBe(0);
  const numberOf = async (sql: string) => Number((await pool.query<{ n: string }>(sql)).rows[0]?.n);
  expect(await numberOf("select count(*) as n from incident")).toBe(100);
  const samples = await numberOf("select count(*) as n from incident where sample is not null");
  expect(samples).toBeGreaterThan(0);
  expect(samples).toBeLessThan(100);
  expect(await numberOf("select sum(n) as n from incident_count where width = 60")).toBe(300);
}, 120_000);

it("closes within its bound while PostgreSQL is away, and says how many are lost", async () => {
  const incidents = await openReplica(poolOf(await databaseOf("closing")), { closeMs: 500 });
  await server.kill();
  incidents.sink(incidentWith());
  await incidents.close();
  expect(incidents.heard.lines).toEqual(["Incidents were not written before the gateway stopped."]);
}, 120_000);
