import { expect, test } from "vitest";
import { FAILURE_NAMES, FAILURES, type FailureName, type Observation } from "./failures.ts";
import { observe } from "./observe.ts";
import { comparePages } from "./page.ts";
import { readResults } from "./results.ts";
import { GATEWAY_NAMES, READINGS } from "./sources.ts";
import { TRACKED } from "./tracker.ts";
import { WAY_NAMES } from "./way.ts";

const { cells } = readResults();
const all = FAILURE_NAMES.flatMap((failure) => WAY_NAMES.map((way) => [failure, way] as const));
/** Cells without waits. Programs take a second to start, so that failure is caused in one way only. */
const quick = all.filter(
  ([failure, way]) => cells[failure][way].seconds === 0 && (failure !== "process-dies" || way === "library"),
);

/** Failures whose texts depend on which of two clocks is first. */
const TIMED: readonly FailureName[] = ["no-answer", "failing-server"];

/** What has to be equal in every run. */
function comparable(failure: FailureName, seen: Observation): unknown {
  const { seconds: _, ...steady } = seen;
  return TIMED.includes(failure) ? { verdict: FAILURES[failure].judge(seen), runs: seen.runs } : steady;
}

test.each(quick)("%s with %s happens as the pages say", async (failure, way) => {
  const seen = comparable(failure, await observe(failure, way));
  expect(seen, "run: npm run research -- compare && npm run generate").toEqual(
    comparable(failure, cells[failure][way]),
  );
});

test("every failure was observed in every way", () => {
  for (const [failure, way] of all) expect(cells[failure][way].model, `${failure}, ${way}`).not.toBe("");
});

test("every answer that was read names a line, or says what was searched or is not known", () => {
  const readings = [...GATEWAY_NAMES.flatMap((one) => Object.entries(READINGS[one])), ...Object.entries(TRACKED)];
  for (const [failure, { verdict, at }] of readings) {
    for (const place of at) expect(place).toMatch(/^[\w./-]+:\d+$/);
    if (at.length === 0 && verdict !== "not known") expect(failure).toBe("same-payment");
  }
});

test.each(comparePages())("%s begins with a short description", (_, text) => {
  const [, heading = "", description = ""] = text.split("\n\n");
  expect(heading).toMatch(/^# /);
  expect(description.length).toBeGreaterThan(40);
  expect(description.length).toBeLessThan(160);
});
