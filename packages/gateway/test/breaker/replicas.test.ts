import { isNightly } from "@recourse/test-kit/runs";
import { expect, it } from "vitest";
import { runOutages } from "./support/outages.ts";

// Each is a process that has to start.
const REPLICAS = isNightly ? 4 : 2;

it(`${REPLICAS} gateways on one Redis open together, send one probe at a time, and close together`, async () => {
  const { outages, switches } = await runOutages({
    outages: 1,
    replicas: REPLICAS,
    failedProbes: 3,
    pauseMs: 200,
    maxPauseMs: 200,
    everyMs: 40,
  });
  expect(outages).toHaveLength(1);
  for (const { mostAtOnce, probes, failedCalls } of outages) {
    expect(probes).toBeGreaterThan(3);
    expect(failedCalls).toBeGreaterThanOrEqual(5);
    // A replica that has lost Redis sends a probe of its own.
    if (switches === 0) expect(mostAtOnce).toBe(1);
  }
}, 300_000);
