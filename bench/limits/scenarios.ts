import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createRedisServer } from "@recourse/test-kit/redis";
import { startRedisCluster } from "../../packages/stores/test/limits/support/redis-cluster.ts";
import { idealAdmissions, overAdmissions } from "../../packages/stores/test/limits/support/token-bucket.ts";
import { ANSWERS, bucketsOf, type Decision, RATES, REPLICAS, type ReplicaReport, type ReplicaTask } from "./plan.ts";

/** What is done to the parts while calls are made. */
export const SCENARIOS = ["undisturbed", "Redis killed and restarted", "a replica stopped", "slots moved"] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** What came of a run. */
export interface RunReport {
  readonly decisions: number;
  readonly passed: number;
  readonly over: number;
  readonly roundTrips: number;
  /** Calls that were answered with "away". */
  readonly away: number;
  readonly switches: number;
  /** In percent of what one exact bucket would have passed, by rate. */
  readonly under: ReadonlyMap<number, number>;
  /** Calls while Redis was away that were answered in another way; the first 300 ms apart. */
  readonly otherAnswers: number;
  /** What was done. */
  readonly note: string;
}

/** Clocks of the replicas are wrong by so much. */
const SKEWS_MS = [0, 3_600_000, -86_400_000, 12_345_678] as const;
/** The times that are compared come from one clock, read in different processes. */
const CLOCK_ERROR_US = 200;
/** Buckets on a server that is younger hold what has grown since its start. */
const WARM_UP_MS = 3_500;
/** On a busy machine a server can be slow without being away. One that is killed is noticed by its connection. */
const TIMEOUT_MS = 5_000;
const AWAY_GRACE_US = 300_000;

/** Starts the replicas and a server, disturbs them, and counts. */
export async function runScenario(
  scenario: Scenario,
  { seed, seconds, active }: { readonly seed: number; readonly seconds: number; readonly active: number },
): Promise<RunReport> {
  const cluster = scenario === "slots moved" ? await startRedisCluster() : undefined;
  const server = cluster === undefined ? await createRedisServer({ durable: false }) : undefined;
  const urls = cluster?.urls ?? [server?.url ?? ""];
  const replicas = SKEWS_MS.map((skewMs, replica) => {
    const shared = { urls, cluster: cluster !== undefined, seed, seconds, timeoutMs: TIMEOUT_MS, active };
    const task: ReplicaTask = { ...shared, replica, skewMs };
    return fork(fileURLToPath(new URL("replica.ts", import.meta.url)), [JSON.stringify(task)]);
  });
  await Promise.all(replicas.map((child) => once(child, "message")));
  try {
    await sleep(WARM_UP_MS);
    const reports = replicas.map(async (child) => ((await once(child, "message")) as [ReplicaReport])[0]);
    for (const child of replicas) child.send("start");
    const away: [number, number][] = [];
    const disturb = {
      undisturbed: async () => "",
      "Redis killed and restarted": async () => {
        await sleep((seconds * 1_000) / 3);
        await server?.kill();
        const from = Date.now() * 1_000;
        await sleep(1_000);
        away.push([from, Date.now() * 1_000]);
        await server?.start();
        return "Redis away for 1 s, and empty afterwards";
      },
      "a replica stopped": async () => {
        await sleep((seconds * 1_000) / 4);
        replicas[1]?.kill("SIGSTOP");
        await sleep(Math.min(3_000, (seconds * 1_000) / 2));
        replicas[1]?.kill("SIGCONT");
        return `stopped for ${Math.min(3, seconds / 2)} s`;
      },
      "slots moved": async () => {
        await sleep((seconds * 1_000) / 4);
        const moved = bucketsOf(seed).filter((_, index) => index % 10 === 9);
        for (const { group, id } of moved) {
          const name = `recourse:limits:{${encodeURIComponent(group)}}:${encodeURIComponent(id)}`;
          await cluster?.moveSlotOf(name, 2);
        }
        return `${moved.length} slots moved`;
      },
    } as const satisfies Record<Scenario, () => Promise<string>>;
    const note = await disturb[scenario]();
    return reportOf(await Promise.all(reports), { seed, away, note });
  } finally {
    for (const child of replicas) child.kill("SIGKILL");
    await server?.close();
    await cluster?.close();
  }
}

function reportOf(
  reports: readonly ReplicaReport[],
  facts: { readonly seed: number; readonly away: readonly (readonly [number, number])[]; readonly note: string },
): RunReport {
  const decisions = reports.flatMap((report) => report.decisions);
  const byKey = Map.groupBy(decisions, ([key]) => key);
  const totals = new Map<number, { passed: number; ideal: number }>(
    RATES.map(({ perSecond }) => [perSecond, { passed: 0, ideal: 0 }]),
  );
  let over = 0;
  for (const [key, bucket] of bucketsOf(facts.seed).entries()) {
    const all = byKey.get(key) ?? [];
    const passed = all.filter(isPassed);
    const spends = passed.map(([, , atUs]) => ({ atUs, tokens: 1 }));
    over += overAdmissions(spends, { ...bucket, clockErrorUs: CLOCK_ERROR_US });
    const total = totals.get(bucket.perSecond);
    if (total === undefined) continue;
    total.passed += passed.length;
    const calls = all.map(([, atUs]) => ({ atUs, tokens: 1 }));
    total.ideal += idealAdmissions(calls, bucket);
  }
  const isOther = ([, atUs, , answer]: Decision) =>
    answer !== ANSWERS.away && facts.away.some(([from, to]) => atUs > from + AWAY_GRACE_US && atUs < to);
  return {
    decisions: decisions.length,
    passed: decisions.filter(isPassed).length,
    over,
    roundTrips: reports.reduce((sum, { roundTrips }) => sum + roundTrips, 0),
    away: decisions.filter(([, , , answer]) => answer === ANSWERS.away).length,
    switches: reports.reduce((sum, { switches }) => sum + switches, 0),
    under: new Map(
      [...totals].flatMap(([rate, { passed, ideal }]) =>
        ideal === 0 ? [] : [[rate, 100 * (1 - passed / ideal)] as const],
      ),
    ),
    otherAnswers: decisions.filter(isOther).length,
    note: facts.note,
  };
}

function isPassed([, , , answer]: Decision): boolean {
  return answer === ANSWERS.passed;
}

if (SKEWS_MS.length !== REPLICAS) throw new Error("a replica has no clock");
