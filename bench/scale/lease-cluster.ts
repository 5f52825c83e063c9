// Replicas on a real Redis Cluster: three primaries, each with a standby, on this machine.
import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type RedisCluster, startRedisCluster } from "../../packages/stores/test/limits/support/redis-cluster.ts";
import type { HolderReport, HolderTask } from "./lease-holders.ts";
import { claimsOf, type LeasePlan } from "./lease-plan.ts";
import { LEASE_ANSWERS, type LeaseDecision, type LeaseReport, leaseReport } from "./lease-report.ts";

/** Options of `runOnCluster`. */
export interface ClusterRunOptions {
  /** After this time one primary is killed, and does not come back. @default never */
  readonly killAtMs?: number;
  /** How long a command may take. A busy machine is slow without being away. */
  readonly timeoutMs: number;
  /** A node that is silent for this time counts as gone. */
  readonly nodeTimeoutMs: number;
}

/** What a primary's end did to calls. */
interface FailoverReport {
  /** Tenants whose primary was killed. */
  readonly ofKilled: AwayReport;
  /** Tenants of the other primaries. */
  readonly ofOthers: AwayReport;
}

/** Calls that got no answer from Redis. */
interface AwayReport {
  /** From the kill until nine of ten calls got an answer again, in ms. */
  readonly backAfterMs: number;
  /** Calls until then, and those of them without an answer. */
  readonly calls: number;
  readonly away: number;
}

/** What came of a run on a cluster. */
export interface ClusterReport extends LeaseReport {
  readonly failover: FailoverReport | undefined;
  /** How late calls were made, in ms: the median and the most of all processes. */
  readonly late: readonly [median: number, most: number];
}

const PROCESSES = 2;
const FILE = fileURLToPath(new URL("lease-holders.ts", import.meta.url));
/** Times of several processes are compared. */
const CLUSTER_CLOCK_ERROR_US = 200;
/** Buckets on a younger server hold what has grown since its start. */
const WARM_UP_MS = 4_000;
/** All processes begin at the same time. */
const START_IN_MS = 500;

/** Plays a plan on a cluster. */
export async function runOnCluster(plan: LeasePlan, options: ClusterRunOptions): Promise<ClusterReport> {
  const { killAtMs, timeoutMs, nodeTimeoutMs } = options;
  const cluster = await startRedisCluster({ standbys: true, nodeTimeoutMs });
  const children = Array.from({ length: PROCESSES }, (_, process) => {
    const task: HolderTask = { plan, urls: cluster.urls, timeoutMs, process, processes: PROCESSES };
    return fork(FILE, [JSON.stringify(task)], { serialization: "advanced" });
  });
  try {
    const primaryOfTenant = killAtMs === undefined ? [] : await primariesOf(plan, cluster);
    await Promise.all(children.map((child) => once(child, "message")));
    await sleep(WARM_UP_MS);
    const ended = children.map(async (child) => ((await once(child, "message")) as [HolderReport])[0]);
    const startedAt = Date.now() + START_IN_MS;
    for (const child of children) child.send(startedAt);
    let killedAtUs = 0;
    if (killAtMs !== undefined) {
      await sleep(START_IN_MS + killAtMs);
      killedAtUs = Date.now() * 1_000;
      await cluster.killPrimary(KILLED);
    }
    const reports = await Promise.all(ended);
    const decisions = reports.flatMap((report) => report.decisions);
    const sum = (member: keyof HolderReport["counts"]) =>
      reports.reduce((total, { counts }) => total + counts[member], 0);
    const counts = { roundTrips: sum("roundTrips"), leased: sum("leased"), exact: sum("exact") };
    return {
      ...leaseReport(plan, decisions, { counts, precision: { clockErrorUs: CLUSTER_CLOCK_ERROR_US } }),
      failover: killAtMs === undefined ? undefined : failoverOf(decisions, killedAtUs, primaryOfTenant),
      late: [Math.max(...reports.map(({ late }) => late[0])), Math.max(...reports.map(({ late }) => late[1]))],
    };
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await cluster.close();
  }
}

/** The primary that is killed. The tenant with the most calls may be on another one. */
const KILLED = 0;

async function primariesOf(plan: LeasePlan, cluster: RedisCluster): Promise<readonly number[]> {
  const claims = claimsOf(plan);
  const primaries: number[] = [];
  for (let tenant = 0; tenant < plan.tenants; tenant += 1) {
    const group = claims(tenant)[0]?.bucket.group ?? "";
    primaries.push(await cluster.primaryOf(`recourse:limits:{${encodeURIComponent(group)}}:`));
  }
  return primaries;
}

function failoverOf(
  decisions: readonly LeaseDecision[],
  killedAtUs: number,
  primaryOfTenant: readonly number[],
): FailoverReport {
  const after = decisions.filter(([, , atUs]) => atUs >= killedAtUs);
  const awayOf = (wanted: boolean): AwayReport => {
    const calls = after.filter(([tenant]) => (primaryOfTenant[tenant] === KILLED) === wanted);
    const spans = Map.groupBy(calls, ([, , atUs]) => Math.floor((atUs - killedAtUs) / SPAN_US));
    const awayShare = (span: readonly LeaseDecision[]) => span.filter(isAway).length / span.length;
    const down = [...spans].filter(([, span]) => awayShare(span) > 0.1).map(([index]) => index);
    // Some later time-out of a busy machine is not part of the failover.
    let end = Math.min(...down);
    while (down.includes(end)) end += 1;
    const until = calls.filter(([, , atUs]) => atUs < killedAtUs + end * SPAN_US);
    return { backAfterMs: (end * SPAN_US) / 1_000, calls: until.length, away: until.filter(isAway).length };
  };
  return { ofKilled: awayOf(true), ofOthers: awayOf(false) };
}

/** The time after a kill is looked at in pieces. */
const SPAN_US = 250_000;

function isAway([, , , , answer]: LeaseDecision): boolean {
  return answer === LEASE_ANSWERS.away;
}
