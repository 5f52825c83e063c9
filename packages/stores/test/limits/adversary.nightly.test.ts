// Processes in real time, against a server with a real clock.
import { setTimeout as sleep } from "node:timers/promises";
import { connectRedis, createRedisServer } from "@recourse/test-kit/redis";
import { describe, it } from "vitest";
import { runAdversary } from "./support/adversary.ts";
import { hostClock } from "./support/host-clock.ts";

const SEED = 20_260_728;
const SECONDS = 7;

describe.concurrent("the script of the limits", () => {
  it("never admits more than burst + rate × seconds, whatever processes do", async ({ expect, onTestFinished }) => {
    const server = await createRedisServer({ durable: false });
    onTestFinished(() => server.close());
    const client = await connectRedis(server.url);
    onTestFinished(() => client.destroy());
    const report = await runAdversary({ client, seed: SEED, seconds: SECONDS });
    expect(report.spent).toBeGreaterThan(0);
    expect(report.returned).toBeGreaterThan(0);
    expect(report.over).toBe(0);
  });

  it("never admits more when Redis is restarted empty, although tokens are spent while it is away", async ({
    expect,
    onTestFinished,
  }) => {
    const server = await createRedisServer({ durable: false });
    onTestFinished(() => server.close());
    const client = await connectRedis(server.url);
    onTestFinished(() => client.destroy());
    const running = runAdversary({ client, seed: SEED + 1, seconds: SECONDS, clock: hostClock() });
    // In the middle of it.
    await sleep(1_000 * 0.4 * SECONDS);
    await server.kill();
    await server.start();
    const report = await running;
    expect(report.spent).toBeGreaterThan(0);
    expect(report.over).toBe(0);
  });
});
