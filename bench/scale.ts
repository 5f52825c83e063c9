// The figures that docs/scale.md is computed from, and simulations of what no machine here can hold:
//   node --conditions=@recourse/source bench/scale.ts [--parts engines,leases,cluster,failover,outage,written] [--seconds 5] [--seed 1]
//     [--cores 2,4] [--outage 300]
// engines   CPU of Redis and PostgreSQL for each kind of work
// leases    simulated: limits of 10, 100 and 1,000 replicas at 100,000 calls/s
// cluster   1,000 replicas on a real Redis Cluster of six nodes, beside the simulation of the same calls
// failover  a primary of that cluster is killed
// outage    simulated: incidents of 66 replicas while all of 100,000 calls/s fail
// written   incidents of 1 and of 8 such replicas in a real PostgreSQL, beside the simulation of the same
// It prints what it finds, and writes .cache/scale-<parts>.json.
import { mkdirSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { measureEngines } from "./scale/engines.ts";
import measured from "./scale/figures.json" with { type: "json" };
import { type ClusterReport, runOnCluster } from "./scale/lease-cluster.ts";
import type { Balance, LeasePlan } from "./scale/lease-plan.ts";
import type { LeaseReport } from "./scale/lease-report.ts";
import { type SimulationReport, simulateLeases } from "./scale/lease-simulation.ts";
import { type OutageReport, simulateOutage, writeOutage } from "./scale/outage.ts";

const PARTS = {
  engines: () => measureEngines(seconds),
  leases: simulateSizes,
  cluster: compareOnCluster,
  failover: killPrimaries,
  outage: simulateLargeOutage,
  written: compareWritten,
} as const satisfies Record<string, () => Promise<void>>;
type Part = keyof typeof PARTS;

const { values } = parseArgs({
  options: {
    parts: { type: "string", default: "engines" },
    seconds: { type: "string", default: "5" },
    seed: { type: "string", default: "1" },
    // Of PostgreSQL in the simulated outage, and how long that lasts.
    cores: { type: "string", default: "2,4" },
    outage: { type: "string", default: "300" },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);
const BALANCES: readonly Balance[] = ["any replica", "by tenant"];
const { redisScriptUs: scriptUs, redisHolderUs: holderUs, incidentUs: rowUs } = measured.engines;
/** A network between machines of one zone, and a machine that has both ends. */
const NETWORK_MS = 0.25;
/** Large enough for the work, if it were divided evenly. */
const NODES = 10;
const LARGE = { callsPerSecond: 100_000, tenants: 10_000, limit: { perSecond: 2_000, burst: 2_000 } } as const;
const SMALL = { callsPerSecond: 3_000, tenants: 300, limit: { perSecond: 100, burst: 100 }, replicas: 1_000 } as const;
const SMALL_NODES = 3;
const FAILURES_PER_SECOND = 100_000 / 66;

const results: Record<string, object> = {};
for (const part of values.parts.split(",")) {
  if (!Object.hasOwn(PARTS, part)) throw new Error(`no part ${part}: ${Object.keys(PARTS).join(", ")}`);
  console.log(`\n${part}, seed ${seed}`);
  await PARTS[part as Part]();
}
mkdirSync(".cache", { recursive: true });
writeFileSync(`.cache/scale-${values.parts.replaceAll(",", "-")}.json`, `${JSON.stringify(results, null, 2)}\n`);

async function simulateSizes(): Promise<void> {
  for (const replicas of [10, 100, 1_000]) {
    for (const balance of BALANCES) {
      const plan: LeasePlan = { ...LARGE, seed, seconds, replicas, balance };
      printSimulated(`${replicas} replicas, ${balance}`, await simulate(plan, NODES));
    }
  }
  const moving: LeasePlan = { ...LARGE, seed, seconds, replicas: 100, balance: "by tenant" };
  const movesAtMs = seconds * 500;
  printSimulated("100 replicas, by tenant, all tenants move", await simulate({ ...moving, movesAtMs }, NODES));
  for (const replicas of [10, 100, 1_000]) {
    const toolLimit = { perSecond: 200_000, burst: 200_000 };
    const plan: LeasePlan = { ...LARGE, seed, seconds, replicas, balance: "by tenant", toolLimit };
    printSimulated(`${replicas} replicas, by tenant, one limit for a tool of all tenants`, await simulate(plan, NODES));
  }
}

function simulate(plan: LeasePlan, nodes: number): Promise<SimulationReport> {
  return simulateLeases(plan, { nodes, networkMs: NETWORK_MS, scriptUs, holderUs });
}

async function compareOnCluster(): Promise<void> {
  for (const balance of BALANCES) {
    const plan: LeasePlan = { ...SMALL, seed, seconds, balance };
    printSimulated(`1,000 replicas, ${balance}, simulated`, await simulate(plan, SMALL_NODES));
    // Machines with other work are slow at times, which is not an outage.
    const report = await runOnCluster(plan, { timeoutMs: 5_000, nodeTimeoutMs: 15_000 });
    printReal(`1,000 replicas, ${balance}, six nodes of Redis`, report);
  }
}

async function killPrimaries(): Promise<void> {
  for (const nodeTimeoutMs of [2_000, 15_000]) {
    const lasts = Math.max(seconds, 15 + (2 * nodeTimeoutMs) / 1_000);
    const plan: LeasePlan = { ...SMALL, replicas: 100, seed, seconds: lasts, balance: "by tenant" };
    const report = await runOnCluster(plan, { timeoutMs: 100, nodeTimeoutMs, killAtMs: 3_000 });
    printReal(`100 replicas, cluster-node-timeout ${nodeTimeoutMs} ms, a primary is killed after 3 s`, report);
    for (const [name, away] of Object.entries(report.failover ?? {})) {
      const { backAfterMs, calls, away: without } = away;
      console.log(`  ${name}: ${without} of ${calls} calls without an answer, back after ${backAfterMs} ms`);
    }
  }
}

async function simulateLargeOutage(): Promise<void> {
  // A sixth of the replicas, and a PostgreSQL with a sixth of the speed: the whole is more than a process can play in minutes.
  const plan = { replicas: 11, seconds: Number(values.outage), failuresPerSecond: FAILURES_PER_SECOND };
  for (const cores of values.cores.split(",").map(Number)) {
    const report = await simulateOutage(plan, { cores, rowUs: rowUs * 6 });
    const times = (value: number) => value * 6;
    const whole = { failures: times(report.failures), rows: times(report.rows), samples: times(report.samples) };
    printOutage(`66 replicas, ${plan.seconds} s, PostgreSQL with ${cores} cores`, {
      ...report,
      ...whole,
      dropped: times(report.dropped),
    });
  }
}

async function compareWritten(): Promise<void> {
  for (const replicas of [1, 8]) {
    const plan = { replicas, seconds: 75, failuresPerSecond: FAILURES_PER_SECOND };
    printOutage(`${replicas} replicas, 75 s, simulated`, await simulateOutage(plan, { cores: 1, rowUs }));
    const report = await writeOutage(plan);
    printOutage(`${replicas} replicas, 75 s, a real PostgreSQL`, report);
    const { memoryGrowth, cpuUsPerFailure } = report;
    console.log(`  memory of a replica grew by ${Math.round(memoryGrowth / 2 ** 20)} MiB at most`);
    console.log(`  CPU of the replica for a failure, making it included: ${cpuUsPerFailure.toFixed(0)} µs`);
  }
}

function printLeases(name: string, report: LeaseReport): void {
  results[name] = report;
  const { calls, passed, refused, away, over, under, underOfLimited, unused } = report;
  console.log(`\n${name}`);
  console.log(`  ${calls} calls: ${passed} passed, ${refused} refused, ${away} without an answer of Redis`);
  console.log(
    `  round trips: ${Math.round(report.roundTripsPerSecond)}/s, ${report.roundTripsPerCall.toFixed(3)} for a call`,
  );
  console.log(`  leased tokens not used: ${unused === undefined ? "none, or not known" : percent(unused)}`);
  console.log(`  over the limit: ${over}; under: ${percent(under)}, of limited tenants ${percent(underOfLimited)}`);
  const { fairness, fairnessOfIdeal } = report;
  console.log(
    `  fairness of the largest tenant: ${fairness.toFixed(3)}, one exact bucket: ${fairnessOfIdeal.toFixed(3)}`,
  );
}

function printSimulated(name: string, report: SimulationReport): void {
  printLeases(name, report);
  const { busiestNode, nodesOnAverage, waitP50Ms, waitP99Ms, switches } = report;
  console.log(`  nodes busy: ${percent(nodesOnAverage)} on average, the busiest ${percent(busiestNode)}`);
  console.log(`  wait for Redis: p50 ${waitP50Ms.toFixed(2)} ms, p99 ${waitP99Ms.toFixed(2)} ms; ${switches} switches`);
}

function printReal(name: string, report: ClusterReport): void {
  printLeases(name, report);
  console.log(
    `  calls were made late by ${report.late[0].toFixed(1)} ms (median), ${report.late[1].toFixed(0)} ms at most`,
  );
}

function printOutage(name: string, report: OutageReport): void {
  results[name] = report;
  const { failures, rows, samples, dropped, longestQueue, emptyAfterSeconds, postgresCores } = report;
  console.log(`\n${name}`);
  console.log(`  ${failures} failures, ${rows} rows, ${samples} samples, ${dropped} not kept for lack of room`);
  console.log(`  longest queue of a replica ${longestQueue}, empty ${emptyAfterSeconds.toFixed(1)} s after the outage`);
  console.log(`  CPU of PostgreSQL: ${postgresCores.toFixed(2)} cores`);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)} %`;
}
