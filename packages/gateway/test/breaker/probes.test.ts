// Random interleavings of four replicas on a real Redis: whatever they do, two probes are never in flight at the same time.
import { setTimeout as sleep } from "node:timers/promises";
import { toBreakerRules } from "@recourse/faults/retry";
import { connectRedis, createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { isNightly } from "@recourse/test-kit/runs";
import { seededRandom } from "@recourse/test-kit/seeded-random";
import { afterAll, beforeAll, expect, it } from "vitest";
import { BreakerServer } from "../../src/breaker/breaker-server.ts";

let server: RedisServer;
beforeAll(async () => {
  server = await createRedisServer({ durable: false });
});
afterAll(() => server.close());

/** A probe ends after this time at the latest, told or not; the others wait for it a little longer. */
const PROBE_MS = 30;
const LEASE_MS = 45;
const SIGNALS = ["success", "failure", "ignored"] as const;
const RUN_MS = 2_500;

it.each(isNightly ? [1, 2, 3] : [1])("never two probes in flight (seed %i)", async (seed) => {
  const upstream = `shop-${seed}`;
  let tokens = 0;
  /** When the probes in flight end. */
  const inFlight = new Set<{ readonly endsMs: number }>();
  let most = 0;
  let probes = 0;
  const replica = async (number: number) => {
    const random = seededRandom(seed * 31 + number);
    const client = await connectRedis(server.url);
    const rules = toBreakerRules({ pauseMs: 4, maxPauseMs: 8 });
    const breaker = new BreakerServer({ redis: client, rules, random, onSwitch: () => {}, timeoutMs: 10_000 });
    const probe = async () => {
      const token = `${++tokens}`;
      // By the clock before asking, so that a slow answer shortens the probe.
      const untilMs = performance.now() + PROBE_MS;
      const asked = await breaker.ask(upstream, token, LEASE_MS);
      const leftMs = untilMs - performance.now();
      if (asked?.isProbe !== true || leftMs <= 0) return;
      probes += 1;
      const isLost = random() < 0.2;
      const nowMs = performance.now();
      const flight = { endsMs: nowMs + (isLost ? leftMs : Math.min(leftMs, random() * 15)) };
      inFlight.add(flight);
      // A timer can be late, but no probe is in flight after its end.
      most = Math.max(most, [...inFlight].filter(({ endsMs }) => endsMs > nowMs).length);
      while (performance.now() < flight.endsMs) await new Promise(setImmediate);
      inFlight.delete(flight);
      if (!isLost) await breaker.tell(upstream, token, SIGNALS[Math.floor(random() * 3)] ?? "ignored");
      // What is told twice, or too late, changes nothing.
      if (random() < 0.3) void sleep(random() * 60).then(() => breaker.tell(upstream, token, "success"));
    };
    const stopMs = performance.now() + RUN_MS;
    while (performance.now() < stopMs) {
      const choice = random();
      if (choice < 0.25) await breaker.trip(upstream);
      else if (choice < 0.35) await breaker.look(upstream);
      else await Promise.all(Array.from({ length: 1 + Math.floor(random() * 3) }, probe));
      if (random() < 0.3) await sleep(random() * 5);
    }
    await sleep(100);
    breaker.close();
    client.destroy();
  };
  await Promise.all([1, 2, 3, 4].map(replica));
  expect(probes).toBeGreaterThan(10);
  expect(most).toBe(1);
});
