import { readFileSync } from "node:fs";
import { join } from "node:path";
import { needOf, TRAFFIC } from "../../bench/scale/compute.ts";
import measured from "../../bench/scale/figures.json" with { type: "json" };
import { code, GENERATED, page, table } from "./markdown.ts";

const PART = join(import.meta.dirname, "gateway-parts/scale.md");
const LEVELS = [1_000, 100_000, 1_000_000];

/** How many replicas, shards and cores a traffic needs: computed from the figures of the bench. */
export function scalePage(): string {
  const [intro = "", end = ""] = readFileSync(PART, "utf8").split("<!-- tables -->");
  const { gateway, engines, limits, memory } = measured;
  return page([
    GENERATED,
    intro.trim(),
    "## What you need for your traffic",
    table(
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
      LEVELS.flatMap((level) => (["leased", "exact"] as const).map((mode) => rowOf(level, mode))),
    ),
    "## Measured figures",
    table(
      ["Figure", "Value", "Printed by"],
      [
        ["CPU of a call, leased limits", `${gateway.leasedUs} µs`, code(gateway.command)],
        ["CPU of a call, exact limits", `${gateway.exactUs} µs`, code(gateway.command)],
        ["CPU of a call whose upstream fails", `${gateway.failingUs} µs`, code(gateway.command)],
        ["CPU of a call with an idempotency key", `${gateway.keyedUs} µs`, code(gateway.command)],
        ["CPU of Redis for a call, exact limits", `${engines.redisExactUs} µs`, code(engines.command)],
        [
          "Round trips to Redis with leased limits, as a share of those with exact limits",
          String(limits.roundTripsLeased),
          code(limits.command),
        ],
        ["CPU of PostgreSQL for a call with a key", `${engines.keyedUs} µs`, code(engines.command)],
        ["CPU of PostgreSQL for an incident", `${engines.incidentUs} µs`, code(engines.command)],
        ["Memory of a bucket in Redis", `${engines.bucketBytes} bytes`, code(engines.command)],
        ["Memory of a replica", `${memory.replicaMiB} MiB`, code(memory.command)],
      ],
    ),
    "## Assumptions",
    table(
      ["Assumption", "Value"],
      [
        ["Calls that fail", percent(TRAFFIC.failing)],
        ["Calls with an idempotency key", percent(TRAFFIC.keyed)],
        ["Buckets in use, for each call per second", String(TRAFFIC.bucketsPerCall)],
        ["Use of a core on average", percent(TRAFFIC.utilisation)],
        ["Price of a core with its memory", `$${TRAFFIC.dollarsPerCoreHour} per hour`],
      ],
    ),
    end.trim(),
  ]);
}

function rowOf(callsPerSecond: number, mode: "leased" | "exact"): string[] {
  const need = needOf(callsPerSecond, mode);
  return [
    callsPerSecond.toLocaleString("en"),
    mode,
    need.gatewayCores.toLocaleString("en"),
    gib(need.gatewayGiB),
    String(need.redisShards),
    gib(need.redisGiB),
    String(need.postgresCores),
    need.dollarsPerHour.toFixed(2),
    need.dollarsPerMillionCalls.toFixed(3),
  ];
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const gib = (size: number): string => (size < 1 ? `${Math.ceil(size * 1_024)} MiB` : `${size.toFixed(1)} GiB`);
