import { describe, expect, it } from "vitest";
import { OUTAGES, type OutageName, simulateOutage } from "./outage.ts";

describe.each(Object.keys(OUTAGES) as OutageName[])("when the upstream %s", (outage) => {
  it("the engine adds little traffic, and no peak after the outage", async () => {
    const report = await simulateOutage(outage, "engine");
    expect(report.steady).toBe(200);
    expect(report.during).toBeLessThanOrEqual(1.2);
    expect(report.peak).toBeLessThanOrEqual(1.5 * report.steady);
    // The longest pause of a breaker, and the call that ends it.
    expect(report.normalAfterMs).toBeLessThanOrEqual(6_000);
  });

  it("the retry budget alone limits the traffic", async () => {
    const report = await simulateOutage(outage, "engine, budget alone");
    expect(report.during).toBeLessThanOrEqual(1.2);
    expect(report.peak).toBeLessThanOrEqual(1.5 * report.steady);
  });
});

describe("a client that retries at once", () => {
  it("multiplies the traffic of an outage, so the measurement can tell clients apart", async () => {
    const report = await simulateOutage("hangs until the timeout", "three retries at once");
    expect(report.during).toBeGreaterThan(3);
    expect(report.peak).toBeGreaterThan(3 * report.steady);
  });
});
