import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../../faults/test/retry/clock.ts";
import { Monitor } from "./monitor.ts";

/** A monitor on a virtual clock, over a backend that works or does not. */
function monitored(check?: (signal: AbortSignal) => unknown) {
  const clock = new VirtualClock();
  const world = { works: true, checks: [] as number[], changes: [] as string[] };
  const monitor = new Monitor({
    clock,
    degradedAfter: 2,
    downAfter: 3,
    healthIntervalMs: 60_000,
    probeDelayMs: 5_000,
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
