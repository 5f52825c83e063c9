import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HEALTHY, type Health, nextHealth, type Observation, type Observer } from "./health.ts";

const thresholds = { degradedAfter: 2, downAfter: 4 };
const reached = (...steps: readonly (readonly [Observation, Observer])[]): Health =>
  steps.reduce((health, [evidence, by]) => nextHealth(health, evidence, by, thresholds), HEALTHY);

describe("nextHealth", () => {
  it("goes from healthy to degraded to down by failures in a row", () => {
    const failing = ["failing", "call"] as const;
    const path = [1, 2, 3, 4, 5].map((count) => reached(...Array.from({ length: count }, () => failing)).status);
    expect(path).toEqual(["healthy", "degraded", "degraded", "down", "down"]);
  });

  it("forgets failures with the first success", () => {
    const failing = ["failing", "check"] as const;
    expect(reached(failing, failing, failing, ["working", "call"], failing)).toEqual({
      status: "healthy",
      failures: 1,
    });
  });

  it("ignores inconclusive observations", () => {
    fc.assert(
      fc.property(evidences, (steps) => {
        const [before, nothing] = [reached(...steps), ["inconclusive", "check"] as const];
        expect(reached(...steps, nothing)).toEqual(before);
      }),
    );
  });

  it("only a check ends the outage of a backend", () => {
    fc.assert(
      fc.property(evidences, (steps) => {
        const before = reached(...steps);
        if (before.status !== "down") return;
        expect(reached(...steps, ["working", "call"])).toEqual(before);
        expect(reached(...steps, ["working", "check"])).toEqual(HEALTHY);
      }),
    );
  });

  it("has a status that follows from the failures in a row", () => {
    fc.assert(
      fc.property(evidences, (steps) => {
        const { status, failures } = reached(...steps);
        expect(status).toBe(failures >= 4 ? "down" : failures >= 2 ? "degraded" : "healthy");
      }),
    );
  });
});

// Failures are frequent here, so that every status is visited.
const evidences = fc.array(
  fc.tuple(
    fc.constantFrom<Observation[]>("failing", "failing", "failing", "failing", "working", "inconclusive"),
    fc.constantFrom<Observer[]>("call", "check"),
  ),
  { maxLength: 20 },
);
