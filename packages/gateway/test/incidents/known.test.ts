// What incidents and their causes say beyond their names, and how they are found: in memory and in PostgreSQL alike.
import { fail, stampFault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GatewayIncident, Incidents } from "../../src/incidents/incidents.ts";
import { memoryIncidents } from "../../src/incidents/memory-incidents.ts";
import { Recorder } from "../../src/incidents/record.ts";
import { createIncidentTables, INCIDENT_SCHEMA } from "../../src/incidents/tables.ts";
import { migrate } from "../../src/stores/postgres.ts";
import { unsynced } from "../support/unsynced.ts";
import { INCIDENTS, idOf, incidentWith, openReplica, poolOf, testDatabase } from "./support.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

/** Incidents of a store that is empty, with the given samples a minute. */
const STORES: Readonly<Record<string, (samplesPerMinute: number) => Promise<Incidents>>> = {
  memory: async (samplesPerMinute) =>
    memoryIncidents(new Recorder({ config: { ...INCIDENTS, samplesPerMinute }, rowsPerMinute: 4 })),
  PostgreSQL: async (samplesPerMinute) => {
    const pool = poolOf(unsynced(database.url));
    const incidents = await openReplica(pool, { samplesPerMinute });
    await pool.query("truncate incident, incident_class, incident_count, incident_ingest");
    return incidents;
  },
};

async function written({ sink, state }: Incidents, ...given: readonly GatewayIncident[]): Promise<void> {
  for (const incident of given) sink(incident);
  await expect.poll(() => state.waiting).toBe(0);
}

/** A fault with an effect. */
const faultWith = (effect: "none" | "possible" | "applied") => core.internal.fault({}, { effect });

describe.each(Object.entries(STORES))("in %s", (_, open) => {
  const since = () => new Date(Date.now() - 3_600_000).toISOString();

  it("an incident has its effect and its trace, and is found by both trace and id", async () => {
    const incidents = await open(20);
    const traced = stampFault(core.internal.fault({}, { effect: "possible" }), {
      trace: `00-${TRACE}-00f067aa0ba902b7-01`,
    });
    const [one, other] = [incidentWith({ fault: traced }), incidentWith({ fault: faultWith("none") })];
    await written(incidents, one, other);
    const { reader } = incidents;
    await expect(reader.find(idOf(one))).resolves.toMatchObject({ effect: "possible", trace: TRACE });
    await expect(reader.find(idOf(other))).resolves.toMatchObject({ effect: "none", trace: undefined });
    const ids = async (filter: object) => (await reader.search(filter, { limit: 5 })).map(({ id }) => id);
    await expect(ids({ trace: TRACE })).resolves.toEqual([idOf(one)]);
    await expect(ids({ trace: "0".repeat(32) })).resolves.toEqual([]);
    await expect(ids({ id: idOf(other) })).resolves.toEqual([idOf(other)]);
  });

  it("the first of two with one id says when the other was, and both are listed", async () => {
    const incidents = await open(20);
    const [id, now] = [idOf(incidentWith()), Date.now()];
    await written(incidents, incidentWith({ id, atMs: now - 5_000, tool: "first" }));
    await written(incidents, incidentWith({ id, atMs: now, tool: "second" }));
    const at = new Date(now).toISOString();
    await expect(incidents.reader.find(id)).resolves.toMatchObject({ tool: "first", othersAt: [at] });
    const both = await incidents.reader.search({ id }, { limit: 5 });
    expect(both.map(({ tool }) => tool)).toEqual(["second", "first"]);
    const one = incidentWith({ atMs: now });
    await written(incidents, one);
    expect(await incidents.reader.find(idOf(one))).not.toHaveProperty("othersAt");
  });

  it("a cause has a title, a severity, the worst effect, and its newest sample", async () => {
    const incidents = await open(2);
    const { reader } = incidents;
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    const at = (ms: number, effect: "none" | "possible" | "applied") =>
      incidentWith({ atMs: minute - 120_000 + ms, fault: faultWith(effect) });
    const [first, second, third] = [at(1, "none"), at(2, "possible"), at(3, "none")];
    await written(incidents, first, second, third);
    const [one] = await reader.findClasses("", 5);
    expect(one).toMatchObject({
      title: "Internal error",
      severity: "error",
      effect: "possible",
      sampleId: idOf(second),
      count: 3,
    });
    const [later, foreign] = [
      at(60_000, "applied"),
      incidentWith({ tool: "b", fault: fail.unavailable`Closed.`.fault }),
    ];
    await written(incidents, later);
    await written(incidents, at(60_001, "none"), at(60_002, "none"), foreign);
    const known = await reader.findClass(one?.fingerprint ?? "");
    expect(known).toMatchObject({ effect: "applied", count: 6 });
    expect(known?.sampleId).not.toBe(idOf(second));
    // A reason of another program is explained by its kind.
    const other = (await reader.findClasses("", 5)).find(({ tool }) => tool === "b");
    expect([other?.title, other?.severity]).toEqual(["Unavailable", "error"]);
    await expect(reader.findClasses(one?.fingerprint.slice(0, 9) ?? "", 5)).resolves.toEqual([known]);
    await expect(reader.findClasses("", 5)).resolves.toHaveLength(2);
    // A sample that is erased is not named any longer.
    await reader.erase("ann");
    expect((await reader.findClass(one?.fingerprint ?? ""))?.sampleId).toBeUndefined();
  });

  it("names are found by a part of them", async () => {
    const incidents = await open(20);
    const now = Date.now();
    const old = incidentWith({ atMs: now - 7_200_000, caller: '["key","acme","old-agent"]', tool: "shop__list" });
    const [one, other] = [
      incidentWith({ atMs: now - 2, caller: '["key","acme","agent-eu"]', tool: "shop__refund" }),
      incidentWith({ atMs: now - 1, caller: '["key","acme","agent-us"]', tool: "Refund_all", upstream: "pay" }),
    ];
    await written(incidents, old, one, other);
    const { reader } = incidents;
    await expect(reader.knownNames("refund", since(), 5)).resolves.toEqual({
      reasons: [],
      tools: ["Refund_all", "shop__refund"],
      upstreams: [],
      callers: [],
    });
    await expect(reader.knownNames("AGENT", since(), 1)).resolves.toMatchObject({ callers: [expect.any(String)] });
    const { callers } = await reader.knownNames("agent", since(), 5);
    expect(callers.toSorted()).toEqual(['["key","acme","agent-eu"]', '["key","acme","agent-us"]']);
    await expect(reader.knownNames("core/int", since(), 5)).resolves.toMatchObject({ reasons: ["core/internal"] });
    await expect(reader.knownNames("%", since(), 5)).resolves.toMatchObject({ tools: [], callers: [] });
  });
});

it("tables of an older version are brought up to date; their incidents have neither effect nor trace", async () => {
  const { url } = await testDatabase();
  const pool = poolOf(url);
  await migrate(pool, [{ part: "incidents", versions: INCIDENT_SCHEMA.versions.slice(0, 2) }]);
  const id = idOf(incidentWith());
  const [today = "", tomorrow = ""] = [0, 86_400_000].map((ms) => new Date(Date.now() + ms).toISOString().slice(0, 10));
  await pool.query(`create table incident_${today.replaceAll("-", "")} partition of incident
      for values from ('${today}T00:00:00Z') to ('${tomorrow}T00:00:00Z');
    insert into incident (id, at, fp, reason, kind) values ('${id}', now(), '\\x00ff', 'core/internal', 'internal');
    insert into incident_class (fp, reason, kind, message, first_seen, last_seen)
      values ('\\x00ff', 'core/internal', 'internal', '', now(), now())`);
  await createIncidentTables(pool);
  const incidents = await openReplica(pool);
  const { reader } = incidents;
  await expect(reader.find(id)).resolves.toMatchObject({ id, effect: undefined, trace: undefined });
  await expect(reader.findClass("00ff")).resolves.toMatchObject({ effect: undefined, sampleId: undefined });
  await written(incidents, incidentWith({ fault: faultWith("applied") }));
  const { rows } = await pool.query("select effect from incident order by effect nulls first");
  expect(rows).toEqual([{ effect: null }, { effect: 2 }]);
  const index = await pool.query("select indexdef from pg_indexes where indexname = 'incident_trace'");
  expect(index.rows[0]?.indexdef).toMatch(/\(trace\) WHERE \(trace IS NOT NULL\)$/);
});
