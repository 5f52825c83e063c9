import { describe, expect, it } from "vitest";
import { playOutage, TROUBLES, type TroubleName } from "./outage.ts";

describe.each(Object.keys(TROUBLES) as TroubleName[])("when the upstream %s", (trouble) => {
  it("the engine does not make it worse, nor rush in when it is over", async () => {
    const report = await playOutage(trouble, "engine");
    expect(report.steady).toBe(200);
    expect(report.during).toBeLessThanOrEqual(1.2);
    expect(report.peak).toBeLessThanOrEqual(1.5 * report.steady);
    // The longest pause of a breaker, and the call that ended it.
    expect(report.normalAfterMs).toBeLessThanOrEqual(6_000);
  });

  it("the budget alone is enough", async () => {
    const report = await playOutage(trouble, "engine, budget alone");
    expect(report.during).toBeLessThanOrEqual(1.2);
    expect(report.peak).toBeLessThanOrEqual(1.5 * report.steady);
  });
});

describe("a client that tries again at once", () => {
  it("multiplies the traffic of an outage, which shows that the measure can tell", async () => {
    const report = await playOutage("hangs until the timeout", "three retries at once");
    expect(report.during).toBeGreaterThan(3);
    expect(report.peak).toBeGreaterThan(3 * report.steady);
  });
});
