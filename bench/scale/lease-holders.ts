// One process of the run on a real cluster: many replicas, as far as limits go, with one connection to each node.
import { setTimeout as sleep } from "node:timers/promises";
import { openRedis } from "../../packages/gateway/src/stores/redis.ts";
import { type LimitAnswer, redisLimits } from "../../packages/stores/src/redis/index.ts";
import { hostClock } from "../../packages/stores/test/limits/support/host-clock.ts";
import { arrivalsOf, claimsOf, type LeasePlan } from "./lease-plan.ts";
import { countScripts, decisionOf, type LeaseDecision, type ScriptCounts } from "./lease-report.ts";

/** What a process needs. */
export interface HolderTask {
  readonly plan: LeasePlan;
  readonly urls: readonly string[];
  readonly timeoutMs: number;
  /** This process has every replica whose number leaves `process` when it is divided by `processes`. */
  readonly process: number;
  readonly processes: number;
}

/** What a process has done. */
export interface HolderReport {
  readonly decisions: readonly LeaseDecision[];
  readonly counts: ScriptCounts;
  /** How late calls were made, in ms: the median, and the latest. */
  readonly late: readonly [median: number, most: number];
}

const CALIBRATE_MS = 2_000;
const { plan, urls, timeoutMs, process: own, processes } = JSON.parse(process.argv[2] ?? "{}") as HolderTask;
const { redis, close } = await openRedis({ urls, cluster: true, onError: () => {} });
const counts = { roundTrips: 0, leased: 0, exact: 0 };
const client = countScripts(redis, counts);
const limits = new Map(
  Array.from({ length: plan.replicas }, (_, replica) => replica)
    .filter((replica) => replica % processes === own)
    .map((replica) => [replica, redisLimits({ client, timeoutMs })]),
);
const claims = claimsOf(plan);
const clock = hostClock();
const decisions: LeaseDecision[] = [];
const pending = new Set<Promise<void>>();
const late: number[] = [];

function call(tenant: number, replica: number): void {
  const answer = limits.get(replica)?.take(claims(tenant));
  if (answer === undefined) return;
  const made = { tenant, replica, calledAtUs: clock.nowUs() };
  const decide = (one: LimitAnswer) => void decisions.push(decisionOf(made, one, clock.nowUs()));
  if (!(answer instanceof Promise)) {
    decide(answer);
    return;
  }
  const waiting = answer.then(decide).finally(() => pending.delete(waiting));
  pending.add(waiting);
}

process.send?.("ready");
const startedAt = await new Promise<number>((resolve) => process.once("message", (at) => resolve(Number(at))));
let calibratedAt = 0;
for (const { atMs, tenant, replica } of arrivalsOf(plan)) {
  if (!limits.has(replica)) continue;
  for (let leftMs = atMs; leftMs > 0; leftMs = startedAt + atMs - Date.now()) {
    if (atMs - calibratedAt > CALIBRATE_MS) {
      calibratedAt = atMs;
      clock.calibrate();
    }
    if (startedAt + atMs - Date.now() > 0) await sleep(1);
  }
  late.push(Date.now() - startedAt - atMs);
  call(tenant, replica);
}
await Promise.all(pending);
await Promise.all([...limits.values()].map((one) => one.close()));
late.sort((one, other) => one - other);
const report: HolderReport = { decisions, counts, late: [late[late.length >> 1] ?? 0, late.at(-1) ?? 0] };
process.send?.(report, () => {
  close();
  process.disconnect?.();
});
