// What a scrape gets while PostgreSQL is dead: all the rest, and the last number of approvals. By day: state-metrics.test.ts.
import { createCluster } from "@recourse/test-kit/postgres";
import { createRedisServer } from "@recourse/test-kit/redis";
import { expect, it, onTestFinished } from "vitest";
import { startTestGateway } from "../support/gateway.ts";

it("metrics are served while PostgreSQL is down, and again when it is up", { timeout: 120_000 }, async () => {
  const cluster = await createCluster();
  onTestFinished(() => cluster.close());
  const redis = await createRedisServer({ durable: false });
  onTestFinished(() => redis.close());
  const { url } = await startTestGateway({
    store: { mode: "shared", redis: [redis.url], cluster: false, postgres: cluster.url },
    telemetry: { otlp: undefined, prometheus: true, logLevel: "silent" },
  });
  const scrape = async () => {
    const answer = await fetch(new URL("/metrics", url));
    return { status: answer.status, lines: (await answer.text()).split("\n") };
  };
  const healthy = await scrape();
  expect(healthy.lines).toEqual(
    expect.arrayContaining(["recourse_approvals_pending 0", 'recourse_store{mode="shared"} 1']),
  );
  await cluster.kill();
  // Approvals are asked for again once the last answer is old: until the failure is noticed, and after that.
  await expect
    .poll(async () => (await scrape()).lines, { timeout: 60_000 })
    .toContain('recourse_control_away{control="approvals"} 1');
  const dead = await scrape();
  expect(dead.status).toBe(200);
  expect(dead.lines).toContain("recourse_approvals_pending 0");
  // That a control is away is an incident, which cannot be written now.
  expect(dead.lines.find((line) => line.startsWith("recourse_incidents_waiting "))).toMatch(/ [1-9]/);
  await cluster.start();
  await expect
    .poll(async () => (await scrape()).lines, { timeout: 60_000 })
    .toContain('recourse_control_away{control="approvals"} 0');
});
