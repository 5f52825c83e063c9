// Random interleavings of four replicas on a real Redis, in virtual time: whatever they do, two probes are never in flight at the
// same time.
import { toBreakerRules } from "@recourse/core/retry";
import { connectRedis, createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { isNightly } from "@recourse/test-kit/runs";
import { seededRandom } from "@recourse/test-kit/seeded-random";
import { VirtualClock } from "@recourse/test-kit/virtual-clock";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BreakerServer } from "../../src/breaker/breaker-server.ts";
import type { Redis } from "../../src/stores/redis.ts";

let server: RedisServer;
let real: Awaited<ReturnType<typeof connectRedis>>;
beforeAll(async () => {
  server = await createRedisServer({ durable: false });
  real = await connectRedis(server.url);
});
afterAll(async () => {
  real.destroy();
  await server.close();
});

/** A probe ends after this time at the latest, told or not; the others wait for it a little longer. */
const PROBE_MS = 30;
const LEASE_MS = 45;
const SIGNALS = ["success", "failure", "ignored"] as const;
const RUN_MS = 5_000;
/** How long a command or its answer is on its way, at most. One in ten is slow. */
const WAY_MS = 2;
const SLOW_WAY_MS = 60;

/** Redis, and a time that its scripts see in place of their own. It passes when all that was asked has been answered. */
function virtualRedis(random: () => number) {
  const asked = new Set<Promise<unknown>>();
  const clock = new VirtualClock({
    async settled() {
      do {
        await Promise.allSettled(asked);
        await new Promise(setImmediate);
      } while (asked.size > 0);
    },
  });
  const onTheWay = () => clock.sleep((random() < 0.1 ? SLOW_WAY_MS : WAY_MS) * random());
  const redis: Pick<Redis, "eval" | "evalSha"> = {
    // The server knows no script by the name of its original.
    evalSha: () => Promise.reject(new Error("NOSCRIPT")),
    async eval(script, { keys, arguments: args }) {
      await onTheWay();
      const text = script.replace("redis.call('TIME')", "{ 0, ARGV[#ARGV] }");
      const answer = real.eval(text, { keys, arguments: [...args, String(Math.round(clock.now() * 1_000))] });
      asked.add(answer);
      await answer.finally(() => asked.delete(answer));
      await onTheWay();
      return answer;
    },
  };
  /** Lets time pass until some work has ended. */
  const run = async (work: Promise<unknown>) => {
    let isOver = false;
    const ended = work.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await clock.run();
      // The names of the scripts are computed beside that.
      await new Promise(setImmediate);
    }
    await ended;
  };
  return { clock, redis, run };
}

it.each(isNightly ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2])("never two probes in flight (seed %i)", async (seed) => {
  const upstream = `shop-${seed}`;
  const { clock, redis, run } = virtualRedis(seededRandom(seed));
  let tokens = 0;
  /** When the probes in flight end. */
  const inFlight = new Set<{ readonly endsMs: number }>();
  let most = 0;
  let probes = 0;
  const replica = async (number: number) => {
    const random = seededRandom(seed * 31 + number);
    const rules = toBreakerRules({ pauseMs: 4, maxPauseMs: 8 });
    const breaker = new BreakerServer({ redis, rules, random, onSwitch: () => {}, timeoutMs: 600_000 });
    const probe = async () => {
      const token = `${++tokens}`;
      // By the clock before asking, so that a slow answer shortens the probe.
      const untilMs = clock.now() + PROBE_MS;
      const answer = await breaker.ask(upstream, token, LEASE_MS);
      const nowMs = clock.now();
      const leftMs = untilMs - nowMs;
      if (answer?.isProbe !== true || leftMs <= 0) return;
      probes += 1;
      const isLost = random() < 0.2;
      const flight = { endsMs: nowMs + (isLost ? leftMs : Math.min(leftMs, random() * 15)) };
      inFlight.add(flight);
      // One that ends at this moment may still be among them.
      most = Math.max(most, [...inFlight].filter(({ endsMs }) => endsMs > nowMs).length);
      await clock.sleep(flight.endsMs - nowMs);
      inFlight.delete(flight);
      if (!isLost) await breaker.tell(upstream, token, SIGNALS[Math.floor(random() * 3)] ?? "ignored");
      // What is told twice, or too late, changes nothing.
      if (random() < 0.3) void clock.sleep(random() * 60).then(() => breaker.tell(upstream, token, "success"));
    };
    while (clock.now() < RUN_MS) {
      const choice = random();
      if (choice < 0.25) await breaker.trip(upstream);
      else if (choice < 0.35) await breaker.look(upstream);
      else await Promise.all(Array.from({ length: 1 + Math.floor(random() * 3) }, probe));
      if (random() < 0.3) await clock.sleep(random() * 5);
    }
    breaker.close();
  };
  await run(Promise.all([1, 2, 3, 4].map(replica)));
  expect(probes).toBeGreaterThan(50);
  expect(most).toBe(1);
});
