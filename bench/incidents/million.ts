import { createHash, randomBytes } from "node:crypto";
import { formatId } from "@recourse/core";
import { createTestDatabase, openPool } from "@recourse/test-kit/postgres";
import type { IncidentTotals, SeriesGroup } from "../../packages/gateway/src/counts/counts.ts";
import { postgresTotals } from "../../packages/gateway/src/counts/incident-totals.ts";
import { type WindowName, windowUntil } from "../../packages/gateway/src/counts/windows.ts";
import type { IncidentFilter, IncidentReader } from "../../packages/gateway/src/incidents/incidents.ts";
import { makePartitions } from "../../packages/gateway/src/incidents/tables.ts";
import { openBenchIncidents } from "./push.ts";

const DAY_MS = 86_400_000;
const FINGERPRINTS = 500;
const PIECE = 20_000;

/** How long a question took. */
export interface Timing {
  readonly question: string;
  readonly medianMs: number;
  readonly maxMs: number;
  readonly rows: number;
}

const fingerprint = (index: number) => createHash("sha256").update(String(index)).digest().subarray(0, 16);

/** Fills a database with incidents of 30 days, half of them of the last day, and asks all questions. */
export async function askAboutMany(total: number, repeats: number): Promise<readonly Timing[]> {
  const database = await createTestDatabase();
  const incidents = await openBenchIncidents(database.url);
  const pool = openPool(database.url, { max: 2 });
  try {
    const ids = await fillIncidents(pool, total);
    const { reader } = incidents;
    return await ask({ reader, totals: postgresTotals(pool, reader) }, ids, repeats);
  } finally {
    await incidents.end();
    await pool.end();
    await database.drop();
  }
}

/** Fills the tables of the incidents, half of them in the last day, and their counts. Gives some of the ids. */
export async function fillIncidents(pool: ReturnType<typeof openPool>, total: number): Promise<readonly string[]> {
  const now = Date.now();
  const connection = await pool.connect();
  const today = Math.floor(now / DAY_MS);
  await makePartitions(
    connection,
    Array.from({ length: 31 }, (_, index) => today - index),
  );
  connection.release();
  const ids: string[] = [];
  for (let done = 0; done < total; done += PIECE) {
    const rows = Array.from({ length: Math.min(PIECE, total - done) }, (_, index) => {
      const number = done + index;
      const atMs = Math.floor(now - (number % 2 === 0 ? Math.random() : 30 * Math.random()) * DAY_MS);
      // Few fingerprints are frequent, most are rare.
      return { id: formatId(atMs, randomBytes(16)), atMs, fp: Math.floor(FINGERPRINTS * Math.random() ** 3), number };
    });
    ids.push(...rows.filter((_, index) => index % 1_000 === 0).map((row) => row.id));
    await pool.query(
      `insert into incident select id, to_timestamp(at / 1000), fp, 'core/internal', 'internal', 'tenant-' || number % 5,
          'caller-' || number % 200, 'tool-' || f % 50, 'upstream-' || f % 5,
          case when number % 10 = 0 then jsonb_build_object('told', repeat('x', 500)) end
        from unnest($1::text[], $2::float8[], $3::bytea[], $4::int[], $5::int[]) as row (id, at, fp, f, number)`,
      [
        rows.map((row) => row.id),
        rows.map((row) => row.atMs),
        rows.map((row) => fingerprint(row.fp)),
        rows.map((row) => row.fp),
        rows.map((row) => row.number),
      ],
    );
  }
  for (const text of [
    `insert into incident_class select fp, min(reason), min(kind), min(tool), min(upstream), 'It failed.', null, min(at), max(at)
      from incident group by fp`,
    `insert into incident_count select 1440, date_trunc('day', at at time zone 'utc') at time zone 'utc', fp, count(*) from incident group by 2, 3`,
    `insert into incident_count select 60, date_trunc('hour', at), fp, count(*) from incident group by 2, 3`,
    `insert into incident_count select 1, date_trunc('minute', at), fp, count(*) from incident
      where at > now() - interval '2 days' group by 2, 3`,
    "vacuum analyze",
  ]) {
    await pool.query(text);
  }
  return ids;
}

async function ask(
  { reader, totals }: { readonly reader: IncidentReader; readonly totals: IncidentTotals },
  ids: readonly string[],
  repeats: number,
): Promise<readonly Timing[]> {
  const now = Date.now();
  const series = async (range: WindowName, by: SeriesGroup, filter: IncidentFilter) =>
    (await totals.series(windowUntil(range, now), { by, top: 20, filter })).groups;
  const causes = async (range: WindowName, filter: IncidentFilter) => {
    const { named } = await totals.causes((await series(range, "fingerprint", filter)).map(({ group }) => group));
    return [...named.values()];
  };
  const someId = () => ids[Math.floor(Math.random() * ids.length)] ?? "";
  const deep = await reader.search({}, { limit: 1, before: ids[3] ?? "" });
  const frequent = fingerprint(0).toString("hex");
  const rare = fingerprint(FINGERPRINTS - 1).toString("hex");
  const questions: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["by id", () => reader.find(someId())],
    ["by an id that is not there", () => reader.find(formatId(now - DAY_MS, randomBytes(16)))],
    ["fingerprint", () => reader.findClass(frequent)],
    ["search: newest 50", () => reader.search({}, { limit: 50 })],
    ["search: a page in the middle", () => reader.search({}, { limit: 50, before: deep[0]?.id ?? "" })],
    ["search: frequent fingerprint", () => reader.search({ fingerprint: frequent }, { limit: 50 })],
    ["search: rare fingerprint", () => reader.search({ fingerprint: rare }, { limit: 50 })],
    ["search: tool", () => reader.search({ tool: "tool-49" }, { limit: 50 })],
    ["search: tool and tenant", () => reader.search({ tool: "tool-49", tenant: "tenant-3" }, { limit: 50 })],
    ["search: a tool that is not there", () => reader.search({ tool: "nothing" }, { limit: 50 })],
    ["search: caller", () => reader.search({ caller: "caller-7" }, { limit: 50 })],
    ["causes of 24 h", () => causes("24h", {})],
    ["causes of 30 d", () => causes("30d", {})],
    ["causes of a tool, 30 d", () => causes("30d", { tool: "tool-3" })],
    ["causes of a caller, 30 d", () => causes("30d", { caller: "caller-7" })],
    ["causes of a tenant, 24 h", () => causes("24h", { tenant: "tenant-3" })],
    ["series by kind, 30 d", () => series("30d", "kind", {})],
    ["series by tool, 30 d", () => series("30d", "tool", {})],
    ["series by upstream, 24 h", () => series("24h", "upstream", {})],
    ["series of a caller by tool, 30 d", () => series("30d", "tool", { caller: "caller-7" })],
  ];
  const timings: Timing[] = [];
  for (const [question, run] of questions) {
    const times: number[] = [];
    let rows = 0;
    for (let round = 0; round < repeats; round += 1) {
      const started = performance.now();
      const answer = await run();
      times.push(performance.now() - started);
      rows = Array.isArray(answer) ? answer.length : answer === undefined ? 0 : 1;
    }
    times.sort((one, other) => one - other);
    timings.push({ question, rows, medianMs: times[repeats >> 1] ?? 0, maxMs: times.at(-1) ?? 0 });
  }
  return timings;
}
