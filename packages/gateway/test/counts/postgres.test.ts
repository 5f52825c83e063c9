// Counts of calls and callers in PostgreSQL.

import { type Fault, stampFault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { Call, type CallOrigin } from "../../src/call/call.ts";
import { createCountTables, deleteOldCounts, writeCounts } from "../../src/counts/count-tables.ts";
import { cutSeries } from "../../src/counts/incident-totals.ts";
import { memoryCounts, postgresCounts, startTally } from "../../src/counts/open-counts.ts";
import { windowUntil } from "../../src/counts/windows.ts";
import { memoryIncidents } from "../../src/incidents/memory-incidents.ts";
import { postgresIncidents } from "../../src/incidents/postgres-incidents.ts";
import { Recorder } from "../../src/incidents/record.ts";
import { INCIDENTS, incidentWith, poolOf } from "../incidents/support.ts";
import { testConfig } from "../support/config.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const INCIDENT = "01M7HXRMR83H8Q9JKGBAVMDXX4";
const FAILED = stampFault(core.internal.fault(), { incident: INCIDENT });
const limited = core.rate_limited.fault({}, { limits: [{ policy: "key" }] });

const CALLERS = new Map<string, object>();
function callerOf(subject: string) {
  const known = CALLERS.get(subject) ?? { id: `["key","acme","${subject}"]`, tenant: "acme", subject };
  CALLERS.set(subject, known);
  return known;
}

function callOf(tool: string, subject: string, wasSent = true): Call {
  const route = { kind: "upstream", upstream: { options: { name: tool.split("__")[0] } }, tool: { name: tool } };
  const message = { id: "1", method: "tools/call" };
  return Object.assign(new Call({} as CallOrigin, 0), { caller: callerOf(subject), message, route, wasSent } as object);
}

const SILENT = { log: () => {}, switched: () => {} };

/** Counts in a store, with a clock that a test sets. */
async function openTestCounts(store: "memory" | "postgres") {
  const clock = { nowMs: Date.now(), tookMs: 4 };
  const config = testConfig();
  const counted = startTally(config, { now: () => clock.nowMs, monotonic: () => clock.tookMs });
  const count = (call: Call, fault?: Fault) => counted.tally.count(call, fault);
  if (store === "memory") {
    const incidents = memoryIncidents(new Recorder({ config: INCIDENTS }));
    const counts = memoryCounts({ ...counted, reader: incidents.reader });
    onTestFinished(() => counts.close());
    return { clock, count, counts, incidents, written: async () => {} };
  }
  const pool = poolOf(database.url);
  await pool.query("drop schema public cascade; create schema public");
  const incidents = await postgresIncidents({
    pool,
    config: INCIDENTS,
    recorder: new Recorder({ config: INCIDENTS }),
    observer: SILENT,
  });
  const open = () =>
    postgresCounts({
      ...counted,
      pool,
      reader: incidents.reader,
      keepMs: INCIDENTS.keepMs,
      observer: SILENT,
      everyMs: 20,
    });
  const counts = await open();
  onTestFinished(async () => {
    await counts.close();
    await incidents.close();
  });
  const written = async () => {
    await expect.poll(() => counted.tally.isIdle && counted.waiting.isEmpty, { timeout: 20_000 }).toBe(true);
  };
  return { clock, count, counts, incidents, pool, written };
}

describe.each(["memory", "postgres"] as const)("counts in %s", (store) => {
  it("answer what calls came to, over time and by tool", async () => {
    const { clock, count, counts, written } = await openTestCounts(store);
    clock.nowMs -= 120_000;
    count(callOf("shop__find", "ann"));
    count(callOf("shop__find", "ann"), FAILED);
    clock.nowMs += 120_000;
    clock.tookMs = 400;
    count(callOf("shop__refund", "bob"), FAILED);
    count(callOf("crm__list", "bob", false), limited);
    await written();
    const window = windowUntil("15m", clock.nowMs);
    expect(await counts.reader.totals(window)).toEqual({ ok: 1, caller: 0, refused: 1, operator: 2 });
    expect(await counts.reader.callers(window)).toBe(2);
    const byUpstream = await counts.reader.rates(window, { by: "upstream", top: 1, order: "faults" });
    expect(byUpstream.groups.map(({ group, calls, faults }) => [group, calls, faults])).toEqual([["shop", 3, 2]]);
    expect(byUpstream.groups[0]?.total.slice(-3)).toEqual([2, 0, 1]);
    expect(byUpstream.groups[0]?.operator.slice(-3)).toEqual([1, 0, 1]);
    expect(byUpstream.other).toEqual({ groups: 1, calls: 1, faults: 0 });
    const byTool = await counts.reader.rates(window, { by: "tool", top: 20, upstream: "shop" });
    expect(byTool.groups.map(({ group, calls }) => [group, calls])).toEqual([
      ["shop__find", 2],
      ["shop__refund", 1],
    ]);
    // Half of the calls took at most so long: within the bucket from 2.5 to 5 ms, and from 200 to 500 ms.
    expect(byTool.groups.map(({ p50Ms, p95Ms }) => [p50Ms, p95Ms])).toEqual([
      [3.8, 4.9],
      [350, 485],
    ]);
    const recent = await counts.reader.recent(clock.nowMs);
    expect(recent.get("shop")).toEqual({ recent: { calls: 3, faults: 2 }, p95Ms: 455 });
    expect(recent.get("crm")).toEqual({ recent: { calls: 0, faults: 0 }, p95Ms: undefined });
    for (const range of ["1h", "24h", "7d", "30d"] as const)
      expect(await counts.reader.totals(windowUntil(range, clock.nowMs)), range).toMatchObject({ operator: 2 });
  });

  it("answer who is hit and who is refused, and forget a caller", async () => {
    const { clock, count, counts, written } = await openTestCounts(store);
    for (let time = 0; time < 3; time += 1) count(callOf("shop__find", "ann"), FAILED);
    count(callOf("shop__find", "bob"), FAILED);
    for (let time = 0; time < 5; time += 1) count(callOf("shop__find", "bob", false), limited);
    await written();
    const window = windowUntil("1h", clock.nowMs);
    const last = `${new Date(clock.nowMs).toISOString().slice(0, 16)}:00.000Z`;
    const [ann, bob] = ['["key","acme","ann"]', '["key","acme","bob"]'];
    expect(await counts.reader.hits(window, { by: "caller", limit: 1 })).toEqual({
      items: [{ group: ann, count: 3, last }],
      count: 2,
      other: 1,
    });
    expect(await counts.reader.hits(window, { by: "tenant", limit: 4 })).toMatchObject({
      items: [{ group: "acme", count: 4 }],
      count: 1,
      other: 0,
    });
    expect(await counts.reader.bothHits(window, 1)).toEqual({
      tenants: await counts.reader.hits(window, { by: "tenant", limit: 1 }),
      callers: await counts.reader.hits(window, { by: "caller", limit: 1 }),
    });
    const refused = { tenant: "acme", caller: bob, policy: "key", refused: 5, last, calls: 6, incidents: 1 };
    expect(await counts.reader.refusals(window, { by: "caller", limit: 20 })).toEqual([refused]);
    expect(await counts.reader.refusals(window, { by: "policy", limit: 20 })).toMatchObject([
      { caller: undefined, policy: "key", refused: 5, calls: undefined },
    ]);
    await counts.erase(bob);
    expect(await counts.reader.refusals(window, { by: "caller", limit: 20 })).toEqual([]);
    expect(await counts.reader.callers(window)).toBe(1);
    expect(await counts.reader.totals(window)).toMatchObject({ operator: 4, refused: 5 });
  });

  it("show incidents over time in the largest groups, who a cause hit, and which was seen last", async () => {
    const { clock, counts, incidents } = await openTestCounts(store);
    const push = (times: number, tool: string, agoMs: number, caller = "ann") => {
      for (let time = 0; time < times; time += 1)
        incidents.sink(incidentWith({ tool, caller, atMs: clock.nowMs - agoMs }));
    };
    push(3, "shop__find", 0);
    push(2, "shop__find", 120_000, "bob");
    push(4, "shop__refund", 60_000);
    push(1, "shop__list", 0);
    await expect
      .poll(async () => (await incidents.reader.search({}, { limit: 50 })).length, { timeout: 20_000 })
      .toBe(10);
    const window = windowUntil("15m", clock.nowMs);
    const series = await counts.incidents.series(window, { by: "tool", top: 2, filter: {} });
    expect(series.groups.map(({ group, total, counts }) => [group, total, counts.slice(-3)])).toEqual([
      ["shop__find", 5, [2, 0, 3]],
      ["shop__refund", 4, [0, 4, 0]],
    ]);
    expect([series.other.groups, series.other.total, series.other.counts.length]).toEqual([1, 1, 15]);
    expect(cutSeries(series, 1)).toMatchObject({ groups: [{ total: 5 }], other: { groups: 2, total: 5 } });
    expect(cutSeries(series, 1).other.counts.slice(-3)).toEqual([0, 4, 1]);
    const [first] = await incidents.reader.findClasses("", 1);
    const fingerprint = first?.fingerprint ?? "";
    const filtered = await counts.incidents.series(window, { by: "fingerprint", top: 5, filter: { fingerprint } });
    expect(filtered.groups).toMatchObject([{ group: fingerprint, total: 5 }]);
    const ofCaller = await counts.incidents.series(window, { by: "tool", top: 5, filter: { caller: "bob" } });
    expect(ofCaller.groups).toMatchObject([{ group: "shop__find", total: 2 }]);
    expect(await counts.incidents.callersHit(window, [fingerprint])).toEqual(new Map([[fingerprint, 2]]));
    expect(await counts.incidents.hits(fingerprint, { by: "caller", limit: 1 })).toMatchObject({
      items: [{ group: "ann", count: 3 }],
      count: 2,
      other: 2,
    });
    expect((await counts.incidents.causes([fingerprint])).named.get(fingerprint)).toEqual(first);
    push(1, "shop__last", -1);
    await expect
      .poll(async () => (await counts.incidents.causes([])).last?.tool, { timeout: 20_000 })
      .toBe("shop__last");
  });
});

describe("counts in postgres", () => {
  it("write a batch once, whatever the number of times it comes", async () => {
    const pool = poolOf(database.url);
    await pool.query("drop schema public cascade; create schema public");
    await createCountTables(pool);
    await createCountTables(pool);
    const hourMs = Math.floor(Date.now() / 3_600_000) * 3_600_000;
    const durations = new Array<number>(17).fill(0);
    const tool = { upstream: "shop", tool: "a", outcome: "ok", n: 2, durations, minuteMs: hourMs } as const;
    const batch = { tools: [tool, { ...tool, tool: "b" }], callers: [] };
    const connection = await pool.connect();
    try {
      await writeCounts(connection, { replica: "one", seq: 1, batch });
      await writeCounts(connection, { replica: "one", seq: 1, batch });
      await writeCounts(connection, { replica: "two", seq: 1, batch });
      const { rows } = await pool.query("select width, n from upstream_call_count order by width");
      expect(rows).toEqual([
        { width: 1, n: "8" },
        { width: 60, n: "8" },
        { width: 1440, n: "8" },
      ]);
      await pool.query("update call_count set bucket = bucket - interval '3 days'");
      await pool.query("update upstream_call_count set bucket = bucket + interval '3 days' where width = 1");
      expect(await deleteOldCounts(connection, INCIDENTS.keepMs)).toBe(true);
      const widths = async (table: string) =>
        (await pool.query(`select distinct width from ${table} order by width`)).rows.map(({ width }) => width);
      expect(await widths("call_count")).toEqual([60, 1440]);
      expect(await widths("upstream_call_count")).toEqual([60, 1440]);
    } finally {
      connection.release();
    }
  });
});
