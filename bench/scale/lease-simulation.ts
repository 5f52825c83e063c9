// Replicas that no machine here can hold, simulated: the code of the leases and the scripts are the real ones. Only time is
// not. The scripts run in a real Redis, in which TIME gives the simulated time, so a run gives the same figures for the same seed.
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { connectRedis, createRedisServer } from "@recourse/test-kit/redis";
import { seededRandom } from "@recourse/test-kit/seeded-random";
import { type LimitAnswer, type RedisClient, redisLimits, redisScript } from "../../packages/stores/src/redis/index.ts";
import { LIMIT_SCRIPTS } from "../../packages/stores/src/redis/limits/scripts.ts";
import { arrivalsOf, claimsOf, type LeasePlan } from "./lease-plan.ts";
import { countScripts, decisionOf, type LeaseDecision, type LeaseReport, leaseReport } from "./lease-report.ts";
import { replaceTimers, Timeline } from "./timeline.ts";

/** The Redis of a simulation. */
export interface SimulatedRedis {
  readonly nodes: number;
  /** How long a message takes in one direction, in ms; up to half as long again, by chance. */
  readonly networkMs: number;
  /** How long a node works on a script, in µs: for each, and for each process that holds tokens of its buckets. */
  readonly scriptUs: number;
  readonly holderUs: number;
}

/** What a simulation shows beyond the report. */
export interface SimulationReport extends LeaseReport {
  /** Part of the time that the node with the most work was busy, and all nodes on average. */
  readonly busiestNode: number;
  readonly nodesOnAverage: number;
  /** How long calls waited that had to ask Redis, in ms. */
  readonly waitP50Ms: number;
  readonly waitP99Ms: number;
  /** Times at which a process took Redis for down. */
  readonly switches: number;
}

/** Commands that have to do with time are answered by the simulation. A script also tells how many fields it has read. */
const SHIM = `
local real, us, fields = redis.call, tonumber(ARGV[#ARGV]), 0
local redis = { call = function(name, ...)
  if name == 'TIME' then return { math.floor(us / 1e6), us % 1e6 } end
  if name == 'INFO' then return 'uptime_in_seconds:1000000 maxmemory_policy:noeviction' end
  if name == 'PEXPIRE' then return 1 end
  local reply = real(name, ...)
  if name == 'HGETALL' then fields = fields + #reply / 2 end
  return reply
end }
local function script()
`;
const SHIM_END = "\nend\nlocal reply = script()\nreturn { fields, reply or false }";
/** Fields of a bucket beside those of the processes that hold tokens. */
const OWN_FIELDS = 3;
/** The time of the server at the start of a run, in µs. */
const START_US = 1e15;
/** Calls that wait for an answer at the end get it within this time. */
const AFTERWARDS_MS = 200;

/** Plays the calls of a plan. */
export async function simulateLeases(plan: LeasePlan, redis: SimulatedRedis): Promise<SimulationReport> {
  const server = await createRedisServer({ durable: false });
  const real = await connectRedis(server.url);
  const timeline = new Timeline();
  const restoreTimers = replaceTimers(timeline);
  try {
    return await play(plan, simulatedClient(redis, { real, timeline, seed: plan.seed }), timeline);
  } finally {
    restoreTimers();
    real.destroy();
    await server.close();
  }
}

/** Work of the nodes, and how long requests took. */
interface SimulatedClient {
  readonly client: RedisClient;
  readonly nodes: readonly { readonly busyMs: number }[];
  readonly waits: number[];
}

function simulatedClient(
  { nodes: nodeCount, networkMs, scriptUs, holderUs }: SimulatedRedis,
  { real, timeline, seed }: { readonly real: RedisClient; readonly timeline: Timeline; readonly seed: number },
): SimulatedClient {
  const scripts = new Map(
    Object.values(LIMIT_SCRIPTS).map((text) => [
      createHash("sha1").update(text).digest("hex"),
      redisScript(real, `${SHIM}${text}${SHIM_END}`),
    ]),
  );
  const random = seededRandom(seed + 1);
  const oneWayMs = () => networkMs * (1 + random() / 2);
  const nodes = Array.from({ length: nodeCount }, () => ({ freeAtMs: 0, busyMs: 0 }));
  const nodeOf = (key: string) => nodes[crc32(key.slice(key.indexOf("{"), key.indexOf("}"))) % nodes.length];
  /** Processes that hold tokens of the buckets of a request, by its first key: as many as at the request before. */
  const holders = new Map<string, number>();
  const waits: number[] = [];
  const evalSha: RedisClient["evalSha"] = (sha1, { keys, arguments: args }) => {
    const [first = ""] = keys;
    const run = scripts.get(sha1);
    const node = nodeOf(first);
    if (run === undefined || node === undefined) throw new Error("the simulation does not know this script");
    const askedAtMs = timeline.nowMs;
    return new Promise((resolve, reject) => {
      timeline.at(askedAtMs + oneWayMs(), () => {
        // A node works on one script after the other.
        const startMs = Math.max(timeline.nowMs, node.freeAtMs);
        const workMs = (scriptUs + holderUs * (holders.get(first) ?? 0)) / 1_000;
        node.freeAtMs = startMs + workMs;
        node.busyMs += workMs;
        const answered = run(keys, [...args, String(microseconds(startMs))]).then((answer) => {
          const [fields, reply] = answer as [number, unknown];
          holders.set(first, Math.max(0, fields - OWN_FIELDS * keys.length));
          return reply;
        });
        // What is under way at the end has no answer.
        answered.catch(() => {});
        const answer = () => {
          waits.push(timeline.nowMs - askedAtMs);
          answered.then(resolve, reject);
        };
        timeline.at(node.freeAtMs + oneWayMs(), answer, { needs: answered });
      });
    });
  };
  const client = { evalSha, eval: () => Promise.reject(new Error("all scripts are known")) };
  return { client, nodes, waits };
}

/** The time of the server at a moment of the timeline, in µs. */
function microseconds(ms: number): number {
  return START_US + Math.round(ms * 1_000);
}

async function play(plan: LeasePlan, simulated: SimulatedClient, timeline: Timeline): Promise<SimulationReport> {
  const { nodes, waits } = simulated;
  const counts = { roundTrips: 0, leased: 0, exact: 0 };
  const client = countScripts(simulated.client, counts);
  let switches = 0;
  const onSwitch = (state: "away" | "back") => {
    if (state === "away") switches += 1;
  };
  const testing = { clock: { monotonic: () => timeline.nowMs } };
  const replicas = Array.from({ length: plan.replicas }, () => redisLimits({ client, onSwitch, testing }));
  // The names of the scripts are computed in the background.
  await new Promise(setImmediate);
  await crypto.subtle.digest("SHA-1", new Uint8Array(1));
  const claims = claimsOf(plan);
  const decisions: LeaseDecision[] = [];
  const arrivals = arrivalsOf(plan);
  const next = () => {
    const { value: arrival } = arrivals.next();
    if (!arrival) return;
    timeline.at(arrival.atMs, () => {
      next();
      const { tenant, replica } = arrival;
      const call = { tenant, replica, calledAtUs: microseconds(timeline.nowMs) };
      const answer = replicas[replica]?.take(claims(tenant));
      if (answer === undefined) return;
      const decide = (one: LimitAnswer) => void decisions.push(decisionOf(call, one, microseconds(timeline.nowMs)));
      if (answer instanceof Promise) void answer.then(decide);
      else decide(answer);
    });
  };
  next();
  await timeline.run(plan.seconds * 1_000 + AFTERWARDS_MS);
  waits.sort((one, other) => one - other);
  const busy = nodes.map(({ busyMs }) => busyMs / (plan.seconds * 1_000));
  return {
    ...leaseReport(plan, decisions, { counts, precision: { clockErrorUs: 1 } }),
    busiestNode: Math.max(...busy),
    nodesOnAverage: busy.reduce((sum, one) => sum + one, 0) / busy.length,
    waitP50Ms: waits[waits.length >> 1] ?? 0,
    waitP99Ms: waits[Math.floor(waits.length * 0.99)] ?? 0,
    switches,
  };
}
