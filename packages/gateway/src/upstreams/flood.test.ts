import { expect, it } from "vitest";
import { Allowance } from "./flood.ts";

function allowanceAt(clock: { ms: number }) {
  return new Allowance({ bytesPerSecond: 1_000, burstBytes: 4_000, now: () => clock.ms });
}

it("allows a burst, then the rate", () => {
  const clock = { ms: 0 };
  const allowance = allowanceAt(clock);
  expect(allowance.take(4_000)).toBe(true);
  clock.ms = 500;
  expect(allowance.take(500)).toBe(true);
  expect(allowance.take(1)).toBe(false);
});

it("takes a short message for 512 bytes, a line for 16, and a tiny piece for what it takes to read", () => {
  expect(Array.from({ length: 8 }, () => allowanceAt({ ms: 0 }).takeMessage(80))).not.toContain(false);
  const messages = allowanceAt({ ms: 0 });
  expect(Array.from({ length: 8 }, () => messages.takeMessage(80)).indexOf(false)).toBe(7);
  expect(allowanceAt({ ms: 0 }).takeRead({ bytes: 10, lines: 251 })).toBe(false);
  const pieces = allowanceAt({ ms: 0 });
  expect(Array.from({ length: 100 }, () => pieces.takePiece(1)).indexOf(false)).toBe(63);
  expect(pieces.takePiece(1_000_000)).toBe(true);
});
