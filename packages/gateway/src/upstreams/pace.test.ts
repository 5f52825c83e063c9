import { expect, it } from "vitest";
import { Pace } from "./pace.ts";

function paceAt(clock: { ms: number }) {
  return new Pace({ bytesPerSecond: 1_000, burstBytes: 4_000, now: () => clock.ms });
}

it("allows a burst, then the rate", () => {
  const clock = { ms: 0 };
  const pace = paceAt(clock);
  pace.count(4_000);
  expect(pace.restMs).toBe(0);
  pace.count(500);
  expect(pace.restMs).toBe(500);
  clock.ms = 500;
  expect(pace.restMs).toBe(0);
});

it("takes a short message for 512 bytes", () => {
  const pace = paceAt({ ms: 0 });
  pace.count(80, 8);
  expect(pace.restMs).toBe(96);
});

it("never owes more than a second, so that one large message is forgiven", () => {
  const pace = paceAt({ ms: 0 });
  pace.count(1_000_000);
  expect(pace.restMs).toBe(1_000);
});

it("tells a flood from a burst by the time without a pause", () => {
  const clock = { ms: 0 };
  const pace = paceAt(clock);
  pace.count(4_001);
  for (clock.ms = 1_000; clock.ms <= 5_000; clock.ms += 1_000) pace.count(1_000);
  expect(pace.floodMs).toBe(5_000 + 1_000);
  clock.ms += 2_500;
  expect(pace.floodMs).toBe(0);
});
