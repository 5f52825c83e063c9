// A real Redis server on which scripts see a virtual time: seconds pass at once, and a seed does the same on every machine.
import type { connectRedis } from "@recourse/test-kit/redis";
import { seededRandom } from "@recourse/test-kit/seeded-random";
import { VirtualClock } from "@recourse/test-kit/virtual-clock";
import type { RedisClient } from "../../../src/redis/client.ts";
import type { AdversaryTime } from "./adversary.ts";

/** What in the scripts depends on real time, and what takes its place. Their last arguments are the time and the uptime. */
const REPLACED = [
  ["redis.call('TIME')", "{ 0, ARGV[#ARGV - 1] }"],
  ["redis.call('INFO', 'server')", "('uptime_in_seconds:' .. ARGV[#ARGV])"],
  // No key is forgotten by the real clock.
  ["redis.call('PEXPIRE', row.key,", "math.abs("],
] as const;

/** The server has run for so long when its time begins, in ms. */
const AGE_MS = 3_600_000;

/** The time of a server in µs, for a time that begins with 0. */
export const usAt = (ms: number): number => Math.round((AGE_MS + ms) * 1_000);

/** A client whose scripts see a time, in ms, in place of that of their server. `startedMs` is when it was started. */
export function virtualScripts(
  real: Pick<RedisClient, "eval">,
  now: () => number,
  startedMs: () => number = () => -AGE_MS,
): RedisClient {
  const texts = new Map<string, string>();
  return {
    // The server never knows a script by the name of its original.
    evalSha: () => Promise.reject(new Error("NOSCRIPT")),
    eval(script, { keys, arguments: args }) {
      const text = texts.get(script) ?? REPLACED.reduce((before, [from, to]) => before.replace(from, to), script);
      texts.set(script, text);
      const time = [usAt(now()), Math.floor((now() - startedMs()) / 1_000)].map(String);
      return real.eval(text, { keys, arguments: [...args, ...time] });
    },
  };
}

/** A server in virtual time. */
export interface VirtualServer {
  readonly client: RedisClient;
  readonly time: AdversaryTime;
  /** The clock of the server. */
  readonly clock: { usAt(ms: number): number };
  /** Calls back at a time, in ms. */
  at(ms: number, work: () => void): void;
  /** What is asked fails, until the server starts again with nothing. */
  stop(): void;
  start(): Promise<void>;
  /** Lets time pass until some work has ended. */
  run<T>(work: Promise<T>): Promise<T>;
}

/** The most ms that a command is on its way, and that one in ten is. */
const WAY_MS = 0.1;
const SLOW_WAY_MS = 5;

/** Makes the time of a server virtual, for those who use the client that comes back. */
export function virtualServer(real: Awaited<ReturnType<typeof connectRedis>>): VirtualServer {
  const random = seededRandom(1);
  const pending = new Set<Promise<unknown>>();
  let isAsked = false;
  const clock = new VirtualClock({
    async settled() {
      do {
        await Promise.allSettled(pending);
        await new Promise(setImmediate);
      } while (pending.size > 0 || !isAsked);
    },
  });
  const track = <T>(answered: Promise<T>): Promise<T> => {
    pending.add(answered);
    const forget = () => void pending.delete(answered);
    answered.then(forget, forget);
    return answered;
  };
  // No command overtakes another one.
  let lastMs = 0;
  const arrive = async () => {
    const maxMs = random() < 0.1 ? SLOW_WAY_MS : WAY_MS;
    lastMs = Math.max(lastMs, clock.now() + maxMs * random());
    await clock.sleep(lastMs - clock.now());
  };
  let isAway = false;
  let startedMs = -AGE_MS;
  const scripts = virtualScripts(real, clock.now, () => startedMs);
  return {
    client: {
      evalSha: scripts.evalSha,
      async eval(script, options) {
        isAsked = true;
        await arrive();
        if (isAway) throw new Error("the server is away");
        return track(scripts.eval(script, options));
      },
    },
    time: { now: clock.now, sleep: (ms) => clock.sleep(ms) },
    clock: { usAt },
    at: (ms, work) => void clock.at(ms, work),
    stop() {
      isAway = true;
    },
    async start() {
      await track(real.flushAll());
      isAway = false;
      startedMs = clock.now();
    },
    async run(work) {
      const [result] = await Promise.all([work, clock.run()]);
      return result;
    },
  };
}
