import { expect, it } from "vitest";
import type { LeasePlan } from "./lease-plan.ts";
import { simulateLeases } from "./lease-simulation.ts";

const REDIS = { nodes: 3, networkMs: 0.25, scriptUs: 50, holderUs: 1 };
const PLAN: LeasePlan = {
  seed: 7,
  seconds: 2,
  replicas: 20,
  tenants: 30,
  callsPerSecond: 1_500,
  limit: { perSecond: 100, burst: 100 },
  balance: "by tenant",
};

it("gives the same figures for the same seed, and never passes more than the limits", async () => {
  const first = await simulateLeases(PLAN, REDIS);
  expect(await simulateLeases(PLAN, REDIS)).toEqual(first);
  expect(first).toMatchObject({ over: 0, away: 0, switches: 0 });
  expect(first.passed + first.refused).toBe(first.calls);
  expect(first.refused).toBeGreaterThan(0);
  expect(await simulateLeases({ ...PLAN, seed: 8 }, REDIS)).not.toEqual(first);
});

it("leases only if a replica sees many calls of a tenant", async () => {
  const spread = await simulateLeases({ ...PLAN, balance: "any replica" }, REDIS);
  expect(spread).toMatchObject({ unused: undefined, over: 0 });
  expect(spread.roundTripsPerCall).toBeGreaterThan(0.9);
  expect((await simulateLeases(PLAN, REDIS)).roundTripsPerCall).toBeLessThan(0.8 * spread.roundTripsPerCall);
});

it("counts calls that a node with too much work does not answer in time", async () => {
  const slow = await simulateLeases({ ...PLAN, balance: "any replica" }, { ...REDIS, nodes: 1, scriptUs: 5_000 });
  expect(slow.away).toBeGreaterThan(0);
  expect(slow.busiestNode).toBeGreaterThan(0.9);
});
