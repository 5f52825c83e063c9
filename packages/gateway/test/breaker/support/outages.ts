// Several gateways in processes of their own on one Redis, before an upstream that fails and recovers again and again.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createTestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer } from "@recourse/test-kit/redis";
import { httpUpstream, testConfig } from "../../support/config.ts";
import { callEcho } from "../../support/post.ts";
import { type BreakableUpstream, startBreakableUpstream } from "./breakable-upstream.ts";

/** What a replica tells. */
export type ReplicaMessage =
  | { readonly url: string }
  | { readonly state: "closed" | "open" | "half-open"; readonly atMs: number }
  | { readonly switched: "away" | "back" };

interface OutagesOptions {
  readonly outages: number;
  readonly replicas: number;
  /** How long the upstream fails after the breakers are open, at least. @default 0 */
  readonly outageMs?: number;
  /** So many probes fail before it recovers. @default 0 */
  readonly failedProbes?: number;
  readonly pauseMs: number;
  readonly maxPauseMs: number;
  /** One call for each replica in this time. */
  readonly everyMs: number;
}

/** What came of one outage. */
interface OutageReport {
  /** From the first moment of the outage until all replicas were open. */
  readonly openMs: number;
  /** Calls that reached the upstream in that time, and failed. */
  readonly failedCalls: number;
  /** Calls that reached the upstream from then on, up to the first that succeeded, and the most at the same time. */
  readonly probes: number;
  readonly mostAtOnce: number;
  /** From the recovery until all replicas were closed. */
  readonly closeMs: number;
  /** Between the first and the last replica that closed. */
  readonly spreadMs: number;
}

/** What came of all outages. */
interface OutagesReport {
  readonly outages: readonly OutageReport[];
  /** How often a replica lost Redis, which a busy machine can cause. */
  readonly switches: number;
}

/** Nothing takes longer, also on a busy machine. */
const PATIENCE_MS = 60_000;
const nowMs = () => performance.timeOrigin + performance.now();

/** Runs outages one after the other, under a steady load on every replica. */
export async function runOutages(options: OutagesOptions): Promise<OutagesReport> {
  const redis = await createRedisServer({ durable: false });
  const database = await createTestDatabase();
  const upstream = await startBreakableUpstream();
  const config = testConfig({
    store: { mode: "shared", redis: [redis.url], cluster: false, postgres: database.url },
    breaker: { failures: 5, pauseMs: options.pauseMs, maxPauseMs: options.maxPauseMs },
    upstreams: [httpUpstream(upstream.url, { timeoutMs: 10 * PATIENCE_MS })],
  });
  const text = JSON.stringify(config);
  const replicas: ReplicaProcess[] = [];
  const over = new AbortController();
  const calls = new Set<Promise<unknown>>();
  let load: Promise<void>[] = [];
  try {
    // The first one makes the tables.
    replicas.push(await startReplica(text));
    const others = Array.from({ length: options.replicas - 1 }, async () => {
      replicas.push(await startReplica(text));
    });
    await Promise.all(others);
    load = replicas.map(({ url }) => callSteadily(url, { everyMs: options.everyMs, calls, signal: over.signal }));
    const outages: OutageReport[] = [];
    for (let at = 0; at < options.outages; at++) outages.push(await runOutage({ upstream, replicas, calls }, options));
    return { outages, switches: replicas.reduce((sum, { switches }) => sum + switches(), 0) };
  } finally {
    over.abort();
    for (const replica of replicas) await replica.close();
    await Promise.all(load);
    await Promise.all(calls);
    await upstream.close();
    await redis.close();
    await database.drop();
  }
}

interface OutageParts {
  readonly upstream: BreakableUpstream;
  readonly replicas: readonly ReplicaProcess[];
  /** Calls that are under way. */
  readonly calls: ReadonlySet<Promise<unknown>>;
}

async function runOutage(
  { upstream, replicas, calls }: OutageParts,
  { outageMs = 0, failedProbes = 0 }: OutagesOptions,
): Promise<OutageReport> {
  const before = upstream.failed();
  const begunMs = nowMs();
  upstream.fail();
  const openedMs = await allReach(replicas, "open", begunMs);
  // Calls that were let through before may still be on their way.
  await Promise.all(calls);
  await until(() => upstream.inFlight() === 0);
  const failedCalls = upstream.failed() - before;
  upstream.watch();
  // What is measured is an outage of this length.
  await sleep(outageMs);
  await until(() => upstream.failed() - before - failedCalls >= failedProbes);
  const recoveredMs = nowMs();
  upstream.recover();
  const closedMs = await allReach(replicas, "closed", recoveredMs);
  const { probes, mostAtOnce } = upstream.watched();
  const last = Math.max(...closedMs);
  return {
    openMs: Math.max(...openedMs) - begunMs,
    failedCalls,
    probes,
    mostAtOnce,
    closeMs: last - recoveredMs,
    spreadMs: last - Math.min(...closedMs),
  };
}

/** When each replica first had a state after a moment. */
async function allReach(replicas: readonly ReplicaProcess[], state: string, sinceMs: number): Promise<number[]> {
  const firsts = () => replicas.map(({ changes }) => changes.find((one) => one.state === state && one.atMs >= sinceMs));
  await until(() => firsts().every((one) => one !== undefined));
  return firsts().map((one) => one?.atMs ?? 0);
}

async function until(isTrue: () => boolean): Promise<void> {
  const stopMs = nowMs() + PATIENCE_MS;
  while (!isTrue()) {
    if (nowMs() > stopMs) throw new Error("it never happened");
    // The pause between two looks.
    await sleep(2);
  }
}

interface ReplicaProcess {
  readonly url: URL;
  readonly changes: readonly { readonly state: string; readonly atMs: number }[];
  switches(): number;
  close(): Promise<void>;
}

async function startReplica(config: string): Promise<ReplicaProcess> {
  const file = fileURLToPath(new URL("replica-process.ts", import.meta.url));
  const child: ChildProcess = fork(file, [config], { execArgv: ["--conditions=@recourse/source"] });
  const changes: { state: string; atMs: number }[] = [];
  let switches = 0;
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error("a replica has ended")));
    child.on("message", (message: ReplicaMessage) => {
      if ("url" in message) resolve(message.url);
      else if ("state" in message) changes.push(message);
      else switches += 1;
    });
  });
  return {
    url: new URL(url),
    changes,
    switches: () => switches,
    async close() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
  };
}

interface Load {
  readonly everyMs: number;
  /** Calls that are under way. */
  readonly calls: Set<Promise<unknown>>;
  /** Ends the load. */
  readonly signal: AbortSignal;
}

/** Calls that do not wait for each other, and whatever comes of them. */
async function callSteadily(url: URL, { everyMs, calls, signal }: Load): Promise<void> {
  while (!signal.aborted) {
    const call = callEcho(url).catch(() => undefined);
    calls.add(call);
    void call.then(() => calls.delete(call));
    // The pace of the load.
    await sleep(everyMs);
  }
}
