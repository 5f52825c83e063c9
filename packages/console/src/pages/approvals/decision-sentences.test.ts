import { expect, test } from "vitest";
import type { Approval } from "../../api/types.ts";
import { closedSentence, countDown, outcomeSentence, spokenCountdown, withinWords } from "./decision-sentences.ts";

const MIN = 60_000;
const NOW = Date.UTC(2026, 10, 16, 14, 31, 40);
const approval = (changes: Partial<Approval>) =>
  ({ state: "pending", expiresAt: "2026-11-16T14:43:00.000Z", ...changes }) as Approval;
const DECIDED = { decidedAt: "2026-11-16T14:30:05.000Z", decidedBy: "ops-2" } as const;

test.each([
  [680_000, "11:20"],
  [60_000, "1:00"],
  [59_001, "1:00"],
  [9_000, "0:09"],
  [0, "0:00"],
  [-5_000, "0:00"],
  [3_725_000, "1:02:05"],
])("%i ms are shown as %s", (ms, shown) => {
  expect(countDown(ms)).toBe(shown);
});

test.each([
  [6 * MIN, 11 * MIN, ""],
  [5 * MIN, 11 * MIN, "5 minutes left."],
  [61_000, 11 * MIN, "5 minutes left."],
  [60_000, 11 * MIN, "1 minute left."],
  [10_000, 11 * MIN, "10 seconds left."],
  [1_000, 11 * MIN, "10 seconds left."],
  [0, 11 * MIN, ""],
  // Marks that were passed before the page was open are not said.
  [3 * MIN, 4 * MIN, ""],
  [50_000, 4 * MIN, "1 minute left."],
  [5_000, 8_000, ""],
])("with %i ms left, opened with %i ms: %s", (left, opened, said) => {
  expect(spokenCountdown(left, opened)).toBe(said);
});

test("a clock that runs down is heard three times, each sentence once", () => {
  const said: string[] = [];
  for (let left = 11 * MIN; left >= 0; left -= 1_000) {
    const sentence = spokenCountdown(left, 11 * MIN);
    if (sentence !== "" && sentence !== said.at(-1)) said.push(sentence);
  }
  expect(said).toEqual(["5 minutes left.", "1 minute left.", "10 seconds left."]);
});

test("how long an approval counts", () => {
  expect([30_000, 90_000, 680_000, 3 * 60 * MIN].map(withinWords)).toEqual([
    "within a minute",
    "within 1 minute",
    "within 11 minutes",
    "within 3 h",
  ]);
});

test("what a decision brought about", () => {
  expect(outcomeSentence(approval({ ...DECIDED, state: "approved", decision: "approved" }))).toBe(
    "Approved. The caller may make this call until 14:43.",
  );
  expect(outcomeSentence(approval({ ...DECIDED, state: "denied", decision: "denied" }))).toBe(
    "Denied. The same call is refused until 14:43.",
  );
});

test("what stands in the place of the buttons", () => {
  const expired = "It has expired. The caller is asked to try again, and a new approval appears then.";
  expect(closedSentence(approval({}), NOW)).toBe(undefined);
  expect(closedSentence(approval({}), Date.UTC(2026, 10, 16, 14, 43))).toBe(expired);
  expect(closedSentence(approval({ state: "expired" }), NOW)).toBe(expired);
  expect(closedSentence(approval({ ...DECIDED, state: "approved", decision: "approved" }), NOW)).toBe(
    "Already approved by ops-2 at 14:30:05.",
  );
  expect(closedSentence(approval({ ...DECIDED, state: "expired", decision: "denied" }), NOW)).toBe(
    "Already denied by ops-2 at 14:30:05.",
  );
  expect(closedSentence(approval({ ...DECIDED, state: "consumed" }), NOW)).toBe(
    "Already approved by ops-2 at 14:30:05. The call was made.",
  );
});
