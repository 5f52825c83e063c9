// In virtual time; adversary.nightly.test.ts has the same processes in real time.
import { connectRedis, createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { isNightly } from "@recourse/test-kit/runs";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { redisScript } from "../../src/redis/client.ts";
import { LIMIT_SCRIPTS } from "../../src/redis/limits/scripts.ts";
import { runAdversary } from "./support/adversary.ts";
import { type VirtualServer, virtualServer } from "./support/virtual-server.ts";

const SEED = 20_260_728;
/** How long the processes go on. */
const SECONDS = isNightly ? 30 : 4;
let startedAt: number;
let redis: RedisServer;
let real: Awaited<ReturnType<typeof connectRedis>>;
let server: VirtualServer;

beforeAll(async () => {
  startedAt = performance.now();
  redis = await createRedisServer({ durable: false });
  real = await connectRedis(redis.url);
});
afterAll(async () => {
  real.destroy();
  await redis.close();
});
beforeEach(async () => {
  await real.flushAll();
  server = virtualServer(real);
});

describe("the script of the limits", () => {
  it("never admits more than burst + rate × seconds, whatever processes do", async () => {
    const { client, time } = server;
    const report = await server.run(runAdversary({ client, time, seed: SEED, seconds: SECONDS }));
    expect(report.spent).toBeGreaterThan(500);
    expect(report.returned).toBeGreaterThan(50);
    expect(report.crashes).toBeGreaterThan(0);
    expect(report.over).toBe(0);
  });

  it.each([
    ["tokens that have ended count until then", "burst - live - ended", "burst - live"],
    ["the bucket grows only beside the record", "math.min(burst - live, level", "math.min(burst, level"],
  ])("admits too much without the rule that %s", async (_, rule, broken) => {
    expect(LIMIT_SCRIPTS.take).toContain(rule);
    const script = LIMIT_SCRIPTS.take.replace(rule, broken);
    let over = 0;
    for (let round = 1; over === 0 && round < 30; round++) {
      const { client, time, run } = virtualServer(real);
      over = (await run(runAdversary({ client, time, seed: SEED + round, seconds: 2, script }))).over;
    }
    expect(over).toBeGreaterThan(0);
  });

  it("never admits more when Redis is restarted empty, although tokens are spent while it is away", async () => {
    const { client, time, clock } = server;
    server.at(1_500, () => server.stop());
    server.at(1_650, () => void server.start());
    // An unknown bucket is empty for the first two seconds of a server.
    const report = await server.run(runAdversary({ client, time, clock, seed: SEED + 1, seconds: SECONDS + 3 }));
    expect(report.spent).toBeGreaterThan(100);
    expect(report.over).toBe(0);
  });

  it("gives an unknown bucket what can have grown since tokens from before the start have ended, and no more", async () => {
    // The age of a server is read from it, so that no other time can take its place.
    const take = redisScript(real, LIMIT_SCRIPTS.take);
    let number = 0;
    const existed = async () => {
      number += 1;
      const reply = (await take([`new:${number}`], ["r", "1", "200", "100", "100", "0", "0", "-1", "0"])) as number[];
      const tokens = Number(reply[4]) / 1e6;
      const ageSeconds = (performance.now() - startedAt) / 1_000;
      expect(tokens).toBeLessThanOrEqual(100 * Math.max(0, ageSeconds - 0.2));
      return tokens;
    };
    await expect.poll(existed).toBe(100);
  });
});
