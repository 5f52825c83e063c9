import { setTimeout as sleep } from "node:timers/promises";
import { connectRedis, createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { isNightly } from "@recourse/test-kit/runs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { redisScript } from "../../src/redis/client.ts";
import { LIMIT_SCRIPTS } from "../../src/redis/limits/scripts.ts";
import { runAdversary } from "./support/adversary.ts";
import { hostClock } from "./support/host-clock.ts";

const SEED = 20_260_728;
/** How long the processes go on. */
const SECONDS = isNightly ? 7 : 3;
let server: RedisServer;
let client: Awaited<ReturnType<typeof connectRedis>>;

beforeAll(async () => {
  server = await createRedisServer({ durable: false });
  client = await connectRedis(server.url);
});
afterAll(async () => {
  client.destroy();
  await server.close();
});

describe("the script of the limits", { concurrent: true, timeout: 60_000 }, () => {
  it("never admits more than burst + rate × seconds, whatever processes do", async () => {
    const report = await runAdversary({ client, seed: SEED, seconds: SECONDS });
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
      over = (await runAdversary({ client, seed: SEED + 100 * round + rule.length, seconds: 1.5, script })).over;
    }
    expect(over).toBeGreaterThan(0);
  });

  it("never admits more when Redis is restarted empty, although tokens are spent while it is away", async ({
    onTestFinished,
  }) => {
    const own = await createRedisServer({ durable: false });
    onTestFinished(() => own.close());
    const connection = await connectRedis(own.url);
    onTestFinished(() => connection.destroy());
    const running = runAdversary({ client: connection, seed: SEED + 1, seconds: SECONDS, clock: hostClock() });
    await sleep(1_000 * 0.4 * SECONDS);
    await own.kill();
    await own.start();
    const report = await running;
    expect(report.spent).toBeGreaterThan(100);
    expect(report.over).toBe(0);
  });

  it("gives an unknown bucket what can have grown since tokens from before the start have ended, and no more", async ({
    onTestFinished,
  }) => {
    const startedAt = performance.now();
    const own = await createRedisServer({ durable: false });
    onTestFinished(() => own.close());
    const connection = await connectRedis(own.url);
    onTestFinished(() => connection.destroy());
    const take = redisScript(connection, LIMIT_SCRIPTS.take);
    let existed = 0;
    for (let number = 1; existed < 100 && number < 2_000; number++) {
      const reply = (await take([`new:${number}`], ["r", "1", "200", "100", "100", "0", "0", "-1", "0"])) as number[];
      existed = Number(reply[4]) / 1e6;
      const ageSeconds = (performance.now() - startedAt) / 1_000;
      expect(existed).toBeLessThanOrEqual(100 * Math.max(0, ageSeconds - 0.2));
      await sleep(10);
    }
    expect(existed).toBe(100);
  });
});
