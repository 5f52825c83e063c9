import { expect, it } from "vitest";
import { deleteExpired, postgresIdempotency, readOutcomeText, writeOutcomeText } from "./postgres-idempotency.ts";

const POOL = { query: () => Promise.reject(new Error("never asked")) };

it("refuses numbers out of their range before anything is asked", async () => {
  expect(() => postgresIdempotency({ pool: POOL, deleteEveryMs: -1 })).toThrow(
    "deleteEveryMs must be a number of 0 or",
  );
  await expect(deleteExpired(POOL, { batch: 0 })).rejects.toThrow("batch must be a whole number of 1 or more");
  await expect(deleteExpired(POOL, { timeoutMs: 0 })).rejects.toThrow(RangeError);
});

it.each(['{"result":{}}', "", "a\nb", "\u00e4 😀"])("keeps %j as it is", (outcome) => {
  expect(writeOutcomeText(outcome)).toBe(outcome);
  expect(readOutcomeText(outcome)).toBe(outcome);
});

it.each(["a\u0000b", "\u0000", "\u0001", '\u0001"a"', "\u0000\ud800"])("writes %j without loss", (outcome) => {
  const text = writeOutcomeText(outcome);
  expect(text).not.toContain("\u0000");
  expect(readOutcomeText(text)).toBe(outcome);
});
