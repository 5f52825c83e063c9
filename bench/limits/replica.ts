// One of the processes of bench/limits.ts: makes calls for a time, and sends what came of them.
import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "@recourse/test-kit/seeded-random";
import { createClient, createCluster } from "@redis/client";
import { type RedisClient, redisLimits } from "../../packages/stores/src/redis/index.ts";
import { hostClock } from "../../packages/stores/test/limits/support/host-clock.ts";
import { ANSWERS, type AnswerCode, bucketsOf, callsPerMs, type Decision, type ReplicaTask } from "./plan.ts";

const task = JSON.parse(process.argv[2] ?? "{}") as ReplicaTask;
const { replica, urls, cluster, seed, seconds, timeoutMs, skewMs, active } = task;
const realNow = performance.now.bind(performance);
const realDateNow = Date.now;
const clock = hostClock({ monotonic: realNow, date: realDateNow });
// From here on the process has wrong clocks: only differences of the monotonic one may matter.
performance.now = () => realNow() + skewMs;
Date.now = () => realDateNow() + 3 * skewMs;

const common = { disableOfflineQueue: true, socket: { reconnectStrategy: () => 50 } };
const client = cluster
  ? createCluster({ rootNodes: urls.map((url) => ({ url })), defaults: common })
  : createClient({ ...common, url: urls[0] ?? "" });
client.on("error", () => {});
await client.connect();
let roundTrips = 0;
let switches = 0;
const counted: RedisClient = {
  evalSha: (sha1, options) => {
    roundTrips += 1;
    return client.evalSha(sha1, options);
  },
  eval: (script, options) => client.eval(script, options),
};
const onSwitch = () => {
  switches += 1;
};
const limits = redisLimits({ client: counted, timeoutMs, onSwitch });
const buckets = bucketsOf(seed);
const random = seededRandom(seed * 31 + replica);
const decisions: Decision[] = [];
const pending = new Set<Promise<void>>();

function call(key: number): void {
  const bucket = buckets[key];
  if (bucket === undefined) return;
  const calledAt = clock.nowUs();
  const log = (spentAtUs: number, answer: AnswerCode) => decisions.push([key, calledAt, spentAtUs, answer]);
  const answer = limits.take([{ bucket, cost: 1 }]);
  if (!(answer instanceof Promise)) {
    log(calledAt, answer.ok ? ANSWERS.passed : answer.away ? ANSWERS.away : ANSWERS.refused);
    return;
  }
  const waiting = answer.then((one) => {
    pending.delete(waiting);
    const spentAt = one.ok ? (one.takenAtUs ?? clock.nowUs()) : calledAt;
    log(spentAt, one.ok ? ANSWERS.passed : one.away ? ANSWERS.away : ANSWERS.refused);
  });
  pending.add(waiting);
}

process.send?.("ready");
await new Promise((resolve) => process.once("message", resolve));
const startedAt = realNow();
const due = buckets.map(() => 0);
// The monotonic clock and the host's clock drift apart slowly.
let calibratedAt = startedAt;
for (let last = 0; last < seconds * 1_000; ) {
  await sleep(1);
  const at = realNow() - startedAt;
  for (const [key, { perSecond }] of buckets.entries()) {
    const perMs = callsPerMs({ seed, key, replica, ms: at, perSecond, active });
    const passedMs = Math.min(200, at - last);
    const calls = (due[key] ?? 0) + perMs * passedMs;
    due[key] = calls;
    // Calls come in bunches of one to six; a process that was kept waiting makes all that are due.
    const isLate = passedMs > 10;
    if (calls < 1 || (!isLate && random() > 0.3)) continue;
    const bunch = isLate ? Math.floor(calls) : Math.min(Math.floor(calls), 1 + Math.floor(random() * 6));
    due[key] = calls - bunch;
    for (let index = 0; index < bunch; index++) call(key);
  }
  last = at;
  if (realNow() - calibratedAt < 2_000) continue;
  calibratedAt = realNow();
  clock.calibrate();
}
await Promise.all(pending);
await limits.close();
process.send?.({ decisions, roundTrips, switches }, () => {
  client.destroy();
  process.disconnect?.();
});
