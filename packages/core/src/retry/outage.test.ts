import { VirtualClock } from "@recourse/test-kit/virtual-clock";
import { expect, it } from "vitest";
import { Outage } from "./outage.ts";

function createOutage(answersAt: number, random = 1) {
  const clock = new VirtualClock();
  const probes: number[] = [];
  const switches: unknown[] = [];
  const outage = new Outage({
    clock,
    random: () => random,
    onSwitch: (state, cause) => switches.push([clock.now(), state, cause]),
    async probe() {
      probes.push(clock.now());
      if (clock.now() < answersAt) throw new Error("still down");
    },
  });
  return { clock, outage, probes, switches };
}

it("is down from the first failure until a probe succeeds", async () => {
  const { clock, outage, probes, switches } = createOutage(600);
  expect(outage.isDown).toBe(false);
  outage.failed("first");
  outage.failed("second");
  expect([outage.isDown, outage.cause]).toEqual([true, "first"]);
  await clock.run();
  expect(outage.isDown).toBe(false);
  expect(probes).toEqual([250, 500, 750]);
  expect(switches).toEqual([
    [0, "away", "first"],
    [750, "back", "first"],
  ]);
  outage.failed("third");
  expect([outage.isDown, outage.cause]).toEqual([true, "third"]);
  outage.close();
});

it("shortens its pauses at random, so that many processes do not probe together", async () => {
  const { clock, outage, probes } = createOutage(0, 0);
  outage.failed("down");
  await clock.run();
  expect(probes).toEqual([125]);
});

it("ends its probes when it is closed, and notes nothing more", async () => {
  const { clock, outage, probes, switches } = createOutage(0);
  outage.failed("down");
  outage.close();
  await clock.run();
  expect([probes, outage.isDown]).toEqual([[], true]);
  const idle = createOutage(0);
  idle.outage.close();
  idle.outage.failed("down");
  expect([idle.outage.isDown, idle.switches, switches.length]).toEqual([false, [], 1]);
});
