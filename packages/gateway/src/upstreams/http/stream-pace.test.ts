import { expect, it } from "vitest";
import { StreamPace, upstreamPace } from "./stream-pace.ts";

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
