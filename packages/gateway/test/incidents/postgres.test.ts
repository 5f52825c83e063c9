import { fail } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GatewayIncident, Incidents } from "../../src/incidents/incidents.ts";
import { unsynced } from "../support/unsynced.ts";
import { idOf, incidentWith, openReplica, poolOf } from "./support.ts";

const HOUR_MS = 3_600_000;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database?.drop());

/** A replica on tables that are empty. */
async function opened(changes: Parameters<typeof openReplica>[1] = {}) {
  const pool = poolOf(unsynced(database.url));
  const incidents = await openReplica(pool, changes);
  await pool.query("truncate incident, incident_class, incident_count, incident_ingest");
  return { incidents };
}

/** Passes incidents on, and waits until they are written. */
async function written(incidents: Incidents, ...given: readonly GatewayIncident[]): Promise<void> {
  for (const incident of given) incidents.sink(incident);
  await expect.poll(() => incidents.state.waiting).toBe(0);
}

describe("by id", () => {
  it("finds an incident with its sample: causes, attempts, and what the model was told", async () => {
    const { incidents } = await opened();
    const below = Object.assign(new TypeError("no route to host"), { code: "EHOSTUNREACH" });
    const incident = incidentWith({ cause: new Error("connect failed", { cause: below }) });
    await written(incidents, incident);
    const found = await incidents.reader.find(idOf(incident));
    expect(found).toMatchObject({
      id: idOf(incident),
      at: incident.at,
      reason: "core/internal",
      kind: "internal",
      tenant: "acme",
      caller: "ann",
      tool: "shop__find",
      upstream: "shop",
    });
    expect(found?.fingerprint).toMatch(/^[0-9a-f]{32}$/);
    expect(found?.sample).toMatchObject({ sentText: incident.fault.message, method: "tools/call", durationMs: 5 });
    expect(found?.sample?.fault).toEqual(JSON.parse(JSON.stringify(incident.fault)));
    expect(found?.sample?.causes.map(({ name, message, code }) => ({ name, message, code }))).toEqual([
      { name: "Error", message: "connect failed", code: undefined },
      { name: "TypeError", message: "no route to host", code: "EHOSTUNREACH" },
    ]);
    expect(found?.sample?.causes[0]?.frames[0]).toMatch(/postgres\.test\.ts/);
  });

  it("finds an incident by the id of the upstream too, after its own", async () => {
    const { incidents } = await opened();
    const [theirs, ours] = [idOf(incidentWith()), idOf(incidentWith())];
    await written(
      incidents,
      incidentWith({ tool: "claims", upstreamIncident: ours, atMs: Date.now() - 60_000 }),
      incidentWith({ tool: "has", id: ours, upstreamIncident: theirs, upstreamLog: "its log" }),
    );
    const found = await incidents.reader.find(theirs);
    expect(found).toMatchObject({ id: ours, upstreamIncident: theirs, sample: { upstreamLog: "its log" } });
    await expect(incidents.reader.find(ours)).resolves.toMatchObject({ tool: "has" });
    const old = "00000000000123456789ABCDEF";
    await written(incidents, incidentWith({ tool: "odd", upstreamIncident: old }));
    await expect(incidents.reader.find(old)).resolves.toMatchObject({ tool: "odd" });
  });

  it("finds an id whose time is not the time of the incident, and the first of two with one id", async () => {
    const { incidents } = await opened();
    const old = "00000000000123456789ABCDEF";
    const now = Date.now();
    await written(incidents, incidentWith({ id: old, atMs: now - 5_000, tool: "first" }));
    await written(incidents, incidentWith({ id: old, atMs: now, tool: "second" }));
    await expect(incidents.reader.find(old)).resolves.toMatchObject({ tool: "first" });
    await expect(incidents.reader.find("01ARYZ6S410000000000000000")).resolves.toBeUndefined();
    await expect(incidents.reader.find("' or true --")).resolves.toBeUndefined();
  });
});

it("keeps a row for each incident, and samples for the first of a fingerprint only", async () => {
  const { incidents } = await opened({ samplesPerMinute: 2 });
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  await written(incidents, ...Array.from({ length: 7 }, (_, index) => incidentWith({ atMs: minute + index })));
  const rows = await incidents.reader.search({}, { limit: 100 });
  expect(rows).toHaveLength(7);
  expect(rows.filter((row) => row.sample !== undefined)).toHaveLength(2);
});

describe("search", () => {
  it("filters by each member, and by time", async () => {
    const { incidents } = await opened();
    const now = Date.now();
    const one = incidentWith({ atMs: now - HOUR_MS, caller: "bob", tenant: "other", tool: "a", upstream: "x" });
    const two = incidentWith({ atMs: now, fault: core.timeout.fault({ timeoutMs: 5 }) });
    await written(incidents, one, two);
    const ids = async (filter: Parameters<Incidents["reader"]["search"]>[0]) =>
      (await incidents.reader.search(filter, { limit: 10 })).map((row) => row.id);
    for (const filter of [
      { caller: "bob" },
      { tenant: "other" },
      { tool: "a" },
      { upstream: "x" },
      { kind: "internal" },
    ])
      await expect(ids(filter)).resolves.toEqual([idOf(one)]);
    await expect(ids({ reason: "core/timeout" })).resolves.toEqual([idOf(two)]);
    await expect(ids({ reason: "core/timeout", tool: "a" })).resolves.toEqual([]);
    await expect(ids({ since: new Date(now - 1_000).toISOString() })).resolves.toEqual([idOf(two)]);
    await expect(ids({ until: new Date(now - 1_000).toISOString() })).resolves.toEqual([idOf(one)]);
    const [row] = await incidents.reader.search({ tool: "a" }, { limit: 1 });
    await expect(ids({ fingerprint: row?.fingerprint ?? "" })).resolves.toEqual([idOf(one)]);
    await expect(ids({ fingerprint: "not hex" })).resolves.toEqual([]);
  });

  it("gives every row once over pages, also where times are equal", async () => {
    const { incidents } = await opened();
    const now = Date.now();
    const all = Array.from({ length: 25 }, (_, index) => incidentWith({ atMs: now - Math.floor(index / 5) }));
    await written(incidents, ...all);
    for (const withTime of [false, true]) {
      const seen: string[] = [];
      let before: { before: string; beforeAt?: string } | undefined;
      for (let page = 0; page < 10; page += 1) {
        const rows = await incidents.reader.search({}, { limit: 4, ...before });
        const last = rows.at(-1);
        if (last === undefined) break;
        seen.push(...rows.map((row) => row.id));
        before = { before: last.id, ...(withTime && { beforeAt: last.at }) };
      }
      expect(seen).toHaveLength(25);
      expect(new Set(seen)).toEqual(new Set(all.map(idOf)));
    }
  });
});

describe("counts", () => {
  it("are those of each cause, and of each step in what is kept", async () => {
    const { incidents } = await opened();
    const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const at = (ms: number) => new Date(ms).toISOString();
    const times = (count: number, atMs: number, tool: string) =>
      Array.from({ length: count }, () => incidentWith({ atMs, tool }));
    await written(
      incidents,
      ...times(3, hour - 2 * HOUR_MS + 60_000, "a"),
      ...times(2, hour - 2 * HOUR_MS + 10 * 60_000, "b"),
      ...times(4, hour - HOUR_MS, "b"),
      ...times(1, hour - 60_000, "a"),
    );
    const { reader } = incidents;
    const [, first] = await reader.findClasses("", 2);
    expect(first).toMatchObject({ tool: "b", count: 6, reason: "core/internal", upstream: "shop" });
    expect(first?.firstSeen).toBe(at(hour - 2 * HOUR_MS + 10 * 60_000));
    expect(first?.lastSeen).toBe(at(hour - HOUR_MS));
    await expect(reader.findClass(first?.fingerprint ?? "")).resolves.toEqual(first);
    await expect(reader.findClass("00")).resolves.toBeUndefined();
    const since = at(hour - 3 * HOUR_MS);
    await expect(reader.rates({ since }, "tool", "hour")).resolves.toEqual([
      { at: at(hour - 2 * HOUR_MS), group: "a", count: 3 },
      { at: at(hour - 2 * HOUR_MS), group: "b", count: 2 },
      { at: at(hour - HOUR_MS), group: "a", count: 1 },
      { at: at(hour - HOUR_MS), group: "b", count: 4 },
    ]);
    for (const by of ["kind", "reason", "upstream", "fingerprint"] as const) {
      const points = await reader.rates({ since }, by, "minute");
      expect(points.reduce((sum, point) => sum + point.count, 0)).toBe(10);
    }
  });
});

describe("callers", () => {
  it.each(["keep", "digest"] as const)("%s: are found and erased by their id; counts stay", async (callers) => {
    const { incidents } = await opened({ callers });
    await written(
      incidents,
      incidentWith({ caller: "ann", fault: fail.internal`Ann's secret diary is closed.`.fault }),
    );
    await written(incidents, incidentWith({ caller: "bob" }));
    const { reader } = incidents;
    const [row] = await reader.search({ caller: "ann" }, { limit: 5 });
    expect(row?.caller === "ann").toBe(callers === "keep");
    // What is shown can be searched by.
    await expect(reader.search({ caller: row?.caller ?? "" }, { limit: 5 })).resolves.toHaveLength(1);
    await expect(reader.erase("ann")).resolves.toBe(1);
    await expect(reader.search({ caller: "ann" }, { limit: 5 })).resolves.toEqual([]);
    await expect(reader.search({}, { limit: 5 })).resolves.toHaveLength(1);
    const ranking = await reader.findClasses("", 5);
    expect(ranking.reduce((sum, one) => sum + one.count, 0)).toBe(2);
    const dump = JSON.stringify(
      await database.query("select c.*, i.* from incident_class c left join incident i on true"),
    );
    expect(dump).not.toMatch(/diary|ann"/);
  });

  it("drop: are not kept", async () => {
    const { incidents } = await opened({ callers: "drop" });
    await written(incidents, incidentWith({ caller: "ann" }));
    const [row] = await incidents.reader.search({}, { limit: 1 });
    expect(row).toMatchObject({ tenant: "acme", caller: undefined });
    await expect(incidents.reader.erase("ann")).resolves.toBe(0);
  });
});

it("keeps what PostgreSQL cannot store as it is: zero bytes, half characters, long names", async () => {
  const { incidents } = await opened();
  const odd = "a\u0000b\ud800c";
  const incident = incidentWith({
    caller: odd.repeat(3_000),
    tenant: odd,
    tool: odd.repeat(3_000),
    method: odd,
    cause: new Error(odd),
  });
  await written(incidents, incident);
  const row = await incidents.reader.find(idOf(incident));
  expect(row).toMatchObject({ tenant: "a b\ufffdc", sample: { method: "a b\ufffdc" } });
  expect(incidents.state).toMatchObject({ dropped: 0, isAway: false });
  await expect(incidents.reader.erase(odd.repeat(3_000))).resolves.toBe(1);
});
