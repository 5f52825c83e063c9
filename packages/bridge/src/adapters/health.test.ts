import { VirtualClock } from "@recourse/test-kit/virtual-clock";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HEALTHY, type Health, Monitor, nextHealth, type Observation, type ObservationSource } from "./health.ts";

const thresholds = { degradedFailures: 2, failures: 4 };
const reached = (...steps: readonly (readonly [Observation, ObservationSource])[]): Health =>
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
    fc.constantFrom<ObservationSource[]>("call", "check"),
  ),
  { maxLength: 20 },
);

/** A monitor on a virtual clock, over a backend that works or does not. */
function monitored(check?: (signal: AbortSignal) => unknown, maxPauseMs = 60_000) {
  const clock = new VirtualClock();
  const world = { works: true, checks: [] as number[], changes: [] as string[] };
  const monitor = new Monitor({
    clock,
    breaker: { degradedFailures: 2, failures: 3, pauseMs: 5_000, maxPauseMs },
    healthIntervalMs: 60_000,
    healthTimeoutMs: 1_000,
    onStatus: ({ from, to }) => world.changes.push(`${clock.now()} ${from} ${to}`),
    check:
      check ??
      (() => {
        world.checks.push(clock.now());
        if (!world.works) throw new Error("no reply");
      }),
  });
  monitor.schedule();
  return { clock, monitor, world };
}

describe("Monitor", () => {
  it("checks a working backend once a minute", async () => {
    const { clock, world } = monitored();
    await clock.run(180_000);
    expect(world.checks).toEqual([60_000, 120_000, 180_000]);
    expect(world.changes).toEqual([]);
  });

  it("checks a failing backend soon, then less and less often, until it works", async () => {
    const { clock, monitor, world } = monitored();
    world.works = false;
    for (let call = 0; call < 3; call++) monitor.record("failing");
    expect([monitor.health.status, monitor.refusedForMs]).toEqual(["down", 5_000]);
    await clock.run(80_000);
    expect(world.checks).toEqual([5_000, 15_000, 35_000, 75_000]);
    world.works = true;
    await clock.run(135_000);
    expect(monitor.health.status).toBe("healthy");
    expect(monitor.refusedForMs).toBeUndefined();
    expect(world.changes).toEqual(["0 healthy degraded", "0 degraded down", "135000 down healthy"]);
  });

  it("pauses no longer than `maxPauseMs`", async () => {
    const { clock, monitor, world } = monitored(undefined, 8_000);
    world.works = false;
    for (let call = 0; call < 3; call++) monitor.record("failing");
    await clock.run(30_000);
    expect(world.checks).toEqual([5_000, 13_000, 21_000, 29_000]);
  });

  it("counts failed checks like failed calls", async () => {
    const { clock, monitor, world } = monitored();
    world.works = false;
    await clock.run(90_000);
    expect(world.checks).toEqual([60_000, 70_000, 90_000]);
    expect(monitor.health).toEqual({ status: "down", failures: 3 });
    expect(world.changes).toEqual(["70000 healthy degraded", "90000 degraded down"]);
  });

  it("checks on time although calls fail all the time", async () => {
    const { clock, monitor, world } = monitored();
    for (let at = 0; at <= 6_000; at += 100) clock.at(at, () => monitor.record("failing"));
    await clock.run(6_000);
    expect(world.checks).toEqual([5_000]);
  });

  it("counts a check that does not end as failed, and aborts it", async () => {
    const signals: AbortSignal[] = [];
    const { clock, monitor } = monitored((signal) => {
      signals.push(signal);
      return new Promise(() => {});
    });
    await clock.run(61_000);
    expect(monitor.health.failures).toBe(1);
    expect(signals.map((signal) => signal.aborted)).toEqual([true]);
  });

  it("says how long a refused call should wait while a check is running", async () => {
    const { clock, monitor } = monitored(() => new Promise(() => {}));
    for (let call = 0; call < 3; call++) monitor.record("failing");
    await clock.run(5_500);
    expect(monitor.refusedForMs).toBe(5_000);
  });

  it("makes no more checks after stop", async () => {
    const { clock, monitor, world } = monitored();
    monitor.stop();
    monitor.record("failing");
    monitor.record("failing");
    await clock.run(600_000);
    expect(world).toMatchObject({ checks: [], changes: [] });
  });
});
