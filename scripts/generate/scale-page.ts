import { readFileSync } from "node:fs";
import { join } from "node:path";
import { cellsOf, LIMIT_MODES, type LimitMode, largestBucket, needOf, TRAFFIC } from "../../bench/scale/compute.ts";
import measured from "../../bench/scale/figures.json" with { type: "json" };
import { code, GENERATED, page, table } from "./markdown.ts";

const PART = join(import.meta.dirname, "gateway-parts/scale.md");
const LEVELS = [1_000, 100_000, 1_000_000];
const MODES = Object.keys(LIMIT_MODES) as LimitMode[];
const KEYED_SHARES = [0.01, 0.05, 0.2];
/** Each stands in the text on a line of its own. */
const TABLES = {
  needs: needTable,
  figures: figureTable,
  assumptions: assumptionTable,
  leases: leaseTable,
  compared: comparedTable,
  failover: failoverTable,
  outage: outageTable,
  cells: cellTable,
} as const satisfies Record<string, () => string>;

/** How many replicas, shards and cores a traffic needs: computed from the figures of the bench. */
export function scalePage(): string {
  const { exactPerSecond, leasingReplicas } = largestBucket();
  const text = readFileSync(PART, "utf8")
    .replace(/<!-- (\w+) -->/g, (mark, name: string) =>
      Object.hasOwn(TABLES, name) ? TABLES[name as keyof typeof TABLES]() : mark,
    )
    .replaceAll("{exactPerSecond}", count(Math.floor(exactPerSecond / 1_000) * 1_000))
    .replaceAll("{leasingReplicas}", count(Math.floor(leasingReplicas / 10) * 10));
  return page([GENERATED, text.trim()]);
}

function needTable(): string {
  return table(
    [
      "Calls/s",
      "Limits",
      "Replicas, one core each",
      "Their memory",
      "Redis shards",
      "Redis memory",
      "PostgreSQL cores",
      "$ per hour",
      "$ per million calls",
    ],
    LEVELS.flatMap((level) =>
      MODES.map((mode) => {
        const need = needOf(level, mode);
        return [
          count(level),
          mode,
          count(need.gatewayCores),
          gib(need.gatewayGiB),
          String(need.redisShards),
          gib(need.redisGiB),
          String(need.postgresCores),
          need.dollarsPerHour.toFixed(2),
          need.dollarsPerMillionCalls.toFixed(3),
        ];
      }),
    ),
  );
}

function figureTable(): string {
  const { gateway, engines, memory } = measured;
  return table(
    ["Figure", "Value", "Printed by"],
    [
      ["CPU of a call, leased limits", `${gateway.leasedUs} µs`, code(gateway.command)],
      ["CPU of a call, exact limits", `${gateway.exactUs} µs`, code(gateway.command)],
      ["CPU of a call whose upstream fails", `${gateway.failingUs} µs`, code(gateway.command)],
      ["CPU of a call with an idempotency key", `${gateway.keyedUs} µs`, code(gateway.command)],
      ["CPU of Redis for a round trip (key and tenant)", `${engines.redisScriptUs} µs`, code(engines.command)],
      ["The same, more for each replica that holds tokens", `${engines.redisHolderUs} µs`, code(engines.command)],
      ["CPU of PostgreSQL for a call with a key", `${engines.keyedUs} µs`, code(engines.command)],
      ["Calls with a key that one PostgreSQL served", `${count(engines.keyedPerSecond)}/s`, code(engines.command)],
      ["CPU of PostgreSQL for an incident", `${engines.incidentUs} µs`, code(engines.command)],
      ["Memory of a bucket in Redis", `${engines.bucketBytes} bytes`, code(engines.command)],
      ["Memory of a replica", `${memory.replicaMiB} MiB`, code(memory.command)],
    ],
  );
}

function assumptionTable(): string {
  return table(
    ["Assumption", "Value"],
    [
      ["Calls that fail", percent(TRAFFIC.failing)],
      ["Calls with an idempotency key", percent(TRAFFIC.keyed)],
      ["Limits of a call", "key and tenant, so one round trip to Redis if it has to ask"],
      ["Buckets in use, for each call per second", String(TRAFFIC.bucketsPerCall)],
      ["Use of a core on average", percent(TRAFFIC.utilisation)],
      ["Price of a core with its memory", `$${TRAFFIC.dollarsPerCoreHour} per hour`],
    ],
  );
}

function leaseTable(): string {
  return table(
    [
      "Run",
      "Round trips for a call",
      "Round trips/s",
      "Leased tokens not used",
      "Without an answer of Redis",
      "Over the limit",
      "Under, of limited tenants",
      "Busiest node",
      "p99 of the wait, ms",
      "Fairness (one exact bucket)",
    ],
    Object.entries(measured.leases.runs).map(([name, run]) => [
      name,
      run.roundTripsPerCall.toFixed(2),
      count(run.roundTripsPerSecond),
      unusedText(run),
      percent(run.away / run.calls),
      String(run.over),
      percent(run.underOfLimited),
      percent(run.busiestNode),
      run.waitP99Ms.toFixed(1),
      `${run.fairness.toFixed(2)} (${run.fairnessOfIdeal.toFixed(2)})`,
    ]),
  );
}

function comparedTable(): string {
  return table(
    ["Run", "Calls", "Passed", "Refused", "Round trips for a call", "Leased tokens not used", "Over the limit"],
    Object.entries(measured.compared.runs).map(([name, run]) => [
      name,
      count(run.calls),
      count(run.passed),
      count(run.refused),
      run.roundTripsPerCall.toFixed(3),
      unusedText(run),
      String(run.over),
    ]),
  );
}

function failoverTable(): string {
  return table(
    ["`cluster-node-timeout`", "Tenants of", "Calls until then", "Without an answer", "Back after", "Over the limit"],
    measured.failover.runs.flatMap(({ nodeTimeoutMs, over, ofKilled, ofOthers }) =>
      (
        [
          ["the killed primary", ofKilled],
          ["the other primaries", ofOthers],
        ] as const
      ).map(([whose, { calls, away, backAfterMs }]) => [
        `${nodeTimeoutMs} ms`,
        whose,
        count(calls),
        count(away),
        `${(backAfterMs / 1_000).toFixed(1)} s`,
        String(over),
      ]),
    ),
  );
}

function outageTable(): string {
  return table(
    [
      "Run",
      "Failures",
      "Rows",
      "Samples",
      "Not kept for lack of room",
      "Longest queue of a replica",
      "Empty after the outage",
      "PostgreSQL cores in use",
    ],
    Object.entries(measured.outage.runs).map(([name, run]) => [
      name,
      count(run.failures),
      count(run.rows),
      count(run.samples),
      count(run.dropped),
      count(run.longestQueue),
      `${run.emptyAfterSeconds.toFixed(1)} s`,
      run.postgresCores.toFixed(2),
    ]),
  );
}

function cellTable(): string {
  return table(
    ["Calls with a key", "Calls/s of one cell", "Cells for 1,000,000 calls/s"],
    KEYED_SHARES.map((keyed) => {
      const { perCell, cells } = cellsOf(1_000_000, keyed);
      return [percent(keyed), count(Math.floor(perCell / 1_000) * 1_000), String(cells)];
    }),
  );
}

/** Nothing was leased, or answers came so late that nobody knows what was used. */
function unusedText({ unused }: { readonly unused: number | null }): string {
  return unused === null ? "–" : percent(unused);
}

const count = (value: number): string => Math.round(value).toLocaleString("en");
const percent = (share: number): string => `${Number((share * 100).toFixed(share < 0.1 ? 1 : 0))} %`;
const gib = (size: number): string => (size < 1 ? `${Math.ceil(size * 1_024)} MiB` : `${size.toFixed(1)} GiB`);
