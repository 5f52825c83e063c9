import { expect, it } from "vitest";
import { runOutages } from "./support/outages.ts";

it("four gateways on one Redis open together, send one probe at a time, and close together", async () => {
  const { outages, switches } = await runOutages({
    outages: 1,
    replicas: 4,
    outageMs: 3_000,
    pauseMs: 2_000,
    maxPauseMs: 2_000,
    everyMs: 40,
  });
  expect(outages).toHaveLength(1);
  for (const { mostAtOnce, probes, failedCalls } of outages) {
    expect(probes).toBeGreaterThan(0);
    expect(failedCalls).toBeGreaterThanOrEqual(5);
    // A replica that has lost Redis sends a probe of its own.
    if (switches === 0) expect(mostAtOnce).toBe(1);
  }
}, 300_000);
