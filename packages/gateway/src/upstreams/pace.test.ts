import { expect, it } from "vitest";
import { Pace, StreamPace, upstreamPace } from "./pace.ts";

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

const MIB = 1_024 * 1_024;
const read = (bytes: number) => ({ bytes, lines: 1 });

it("lets answers of one upstream go on one after the other", () => {
  const now = () => 0;
  const shared = upstreamPace(now);
  // Others have used up what the upstream may send at once.
  shared.count(2 * MIB);
  const rests = [1, 2, 3].map(() => {
    const pace = new StreamPace(shared, now);
    pace.countRead(read(20_000));
    return pace.takeRest();
  });
  expect(rests.every((ms, at) => ms > (rests[at - 1] ?? 0))).toBe(true);
});

it("lets an answer read its whole turn before it waits again", () => {
  let nowMs = 0;
  const now = () => nowMs;
  const shared = upstreamPace(now);
  shared.count(2 * MIB);
  const pace = new StreamPace(shared, now);
  pace.countRead(read(20_000));
  nowMs += pace.takeRest();
  // Meanwhile others take all there is.
  shared.count(MIB);
  let turns = 0;
  while (pace.takeRest() === 0 && turns < 100) {
    pace.countRead(read(1_024));
    turns += 1;
  }
  expect(turns).toBe(32);
});

it("never makes a quiet answer wait", () => {
  const now = () => 0;
  const shared = upstreamPace(now);
  shared.count(10 * MIB);
  const pace = new StreamPace(shared, now);
  pace.countRead(read(1_000));
  expect(pace.takeRest()).toBe(0);
});
