// How long the first page of the console waits for its one answer, on a database with the incidents and counts of 30 days:
//   node --conditions=@recourse/source bench/console-overview.ts [--incidents 20000] [--repeats 50] [--slack 2]
// It prints the time of the processor for a request too, which other work on the machine changes less.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { createTestDatabase, openPool } from "@recourse/test-kit/postgres";
import { createRedisServer } from "@recourse/test-kit/redis";
import { createCountTables } from "../packages/gateway/src/counts/count-tables.ts";
import { startGateway } from "../packages/gateway/src/gateway.ts";
import { createIncidentTables } from "../packages/gateway/src/incidents/tables.ts";
import { httpUpstream, testConfig } from "../packages/gateway/test/support/config.ts";
import { fillIncidents } from "./incidents/million.ts";

const { values } = parseArgs({
  options: {
    incidents: { type: "string", default: "1000000" },
    repeats: { type: "string", default: "50" },
    /** Allows this many times the budget, for a machine that does other work too. */
    slack: { type: "string", default: "1" },
  },
});
const repeats = Number(values.repeats);
const slack = Number(values.slack);
/** The longest p95 in ms, by range. */
const BUDGETS_MS = { "15m": 150, "1h": 150, "24h": 300, "7d": 300, "30d": 300 } as const;
const MAX_GZIPPED_BYTES = 12_000;
const KEY = "rk_bench_0123456789abcdef";
const UPSTREAMS = 5;

/** Counts of calls: 200 tools and 200 callers in every minute of some hours, and every hour and day that is kept. */
const FILL_COUNTS = [
  ["1", "6 hours", "1 minute"],
  ["60", "30 days", "1 hour"],
  ["1440", "60 days", "1 day"],
].flatMap(([width, kept, step]) => {
  const buckets = `generate_series(date_bin('${step}', now() - interval '${kept}', 'epoch'), now(), '${step}') b`;
  const hist = `array[0, 3, 20, 40, 20, 10, 4, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0]`;
  const outcomes = "(values ('ok', 96), ('caller', 2), ('operator', 2)) o (outcome, n)";
  return [
    `insert into call_count select ${width}, b, 'upstream-' || t % ${UPSTREAMS}, 'tool-' || t, outcome, n, ${hist}
      from ${buckets}, generate_series(0, 199) t, ${outcomes}`,
    `insert into upstream_call_count select ${width}, b, 'upstream-' || u, outcome, 40 * n, ${hist}
      from ${buckets}, generate_series(0, ${UPSTREAMS - 1}) u, ${outcomes}`,
    `insert into caller_count select ${width}, what, b, 'tenant-' || c % 5, 'caller-' || c, policy, n, b
      from ${buckets}, generate_series(0, 199) c, (values ('call', '', 20), ('incident', '', 1)) w (what, policy, n)`,
    `insert into caller_count select ${width}, 'refusal', b, 'tenant-' || c % 5, 'caller-' || c, 'key', 3, b
      from ${buckets}, generate_series(0, 9) c`,
  ];
});

const [database, redis] = await Promise.all([createTestDatabase(), createRedisServer({ durable: false })]);
const pool = openPool(database.url, { max: 2 });
const began = performance.now();
await createIncidentTables(pool);
await createCountTables(pool);
await fillIncidents(pool, Number(values.incidents));
for (const text of [...FILL_COUNTS, "vacuum analyze"]) await pool.query(text);
console.log(`${values.incidents} incidents, filled in ${((performance.now() - began) / 1_000).toFixed(0)} s`);
const gateway = await startGateway(
  testConfig({
    drainMs: 0,
    store: { mode: "shared", redis: [redis.url], cluster: false, postgres: database.url },
    admin: {
      listen: { host: "127.0.0.1", port: 0 },
      keys: [{ id: "bench", role: "viewer", sha256: createHash("sha256").update(KEY).digest("hex") }],
    },
    breaker: { failures: 5, pauseMs: 1_000, maxPauseMs: 30_000 },
    upstreams: Array.from({ length: UPSTREAMS }, (_, index) =>
      httpUpstream("http://127.0.0.1:1/mcp", { name: `upstream-${index}`, prefix: `u${index}__` }),
    ),
  }),
);
let failures = 0;
try {
  console.log("range   median      p95  longest  PostgreSQL     Node  bytes gzipped");
  for (const [range, budgetMs] of Object.entries(BUDGETS_MS)) {
    const { times, body, databaseMs, nodeMs } = await measure(range);
    const at = (part: number) => times[Math.min(times.length - 1, Math.floor(part * times.length))] ?? 0;
    const bytes = gzipSync(body).length;
    const figures = [at(0.5), at(0.95), at(1), databaseMs, nodeMs].map((ms) => `${ms.toFixed(0)} ms`.padStart(8));
    console.log(`${range.padEnd(4)} ${figures.join(" ")} ${String(bytes).padStart(9)}`);
    const missing = Object.entries(JSON.parse(body) as Record<string, object>).filter(([, part]) =>
      Object.hasOwn(part, "fault"),
    );
    for (const [what, isRight] of [
      [`p95 at most ${budgetMs * slack} ms`, at(0.95) <= budgetMs * slack],
      [`at most ${MAX_GZIPPED_BYTES} bytes gzipped`, bytes <= MAX_GZIPPED_BYTES],
      [`all parts are there, but ${missing.map(([name]) => name).join(", ")}`, missing.length === 0],
    ] as const) {
      if (isRight) continue;
      failures += 1;
      console.log(`  WRONG: ${what}`);
    }
  }
} finally {
  await gateway.close();
  await pool.end();
  await Promise.all([database.drop(), redis.close()]);
}
process.exitCode = failures === 0 ? 0 : 1;

interface Measured {
  readonly times: readonly number[];
  readonly body: string;
  /** Time of the processor for a request. That of Node contains the asking. */
  readonly databaseMs: number;
  readonly nodeMs: number;
}

/** Asks for the overview one time after the other. The first answers warm the caches, and do not count. */
async function measure(range: string): Promise<Measured> {
  const times: number[] = [];
  let body = "";
  let before = await processorTime();
  for (let round = -5; round < repeats; round += 1) {
    if (round === 0) before = await processorTime();
    const started = performance.now();
    const answer = await fetch(`${gateway.adminUrl?.href}/overview?range=${range}`, {
      headers: { authorization: `Bearer ${KEY}` },
    });
    body = await answer.text();
    if (answer.status !== 200) throw new Error(body);
    if (round >= 0) times.push(performance.now() - started);
  }
  const after = await processorTime();
  const known = new Map(before.connections);
  return {
    times: times.toSorted((one, other) => one - other),
    body,
    // A connection that was idle may have been closed meanwhile.
    databaseMs: after.connections.reduce((sum, [pid, ms]) => sum + ms - (known.get(pid) ?? 0), 0) / repeats,
    nodeMs: (after.nodeMs - before.nodeMs) / repeats,
  };
}

/** What this process and each connection of the database have used so far. Linux counts that of others in steps of 10 ms. */
async function processorTime() {
  const { user, system } = process.cpuUsage();
  const { rows } = await pool.query<{ pid: number }>(
    "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  const connections = rows.map(({ pid }) => {
    // After the name, which may contain spaces, the 12th and 13th field.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return [pid, 10 * (Number(fields[11]) + Number(fields[12]))] as const;
  });
  return { connections, nodeMs: (user + system) / 1_000 };
}
