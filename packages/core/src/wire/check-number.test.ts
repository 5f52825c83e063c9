import { expect, it } from "vitest";
import { checkNumber, checkNumbers } from "./check-number.ts";

it.each([
  [undefined, { min: 1 }],
  [1, { min: 1 }],
  [Number.POSITIVE_INFINITY, { min: 0 }],
  [10, { min: 1, max: 10, whole: true }],
] as const)("%s passes %o", (value, range) => {
  expect(() => checkNumber("timeoutMs", value, range)).not.toThrow();
});

it.each([
  [0, { min: 1 }, "timeoutMs must be a number of 1 or more, but it is 0"],
  [Number.NaN, { min: 0 }, "timeoutMs must be a number of 0 or more, but it is NaN"],
  [11, { min: 1, max: 10 }, "timeoutMs must be a number from 1 to 10, but it is 11"],
  [1.5, { min: 1, max: 10, whole: true }, "timeoutMs must be a whole number from 1 to 10, but it is 1.5"],
  ["hunter2", { min: 1 }, "timeoutMs must be a number of 1 or more, but it is of type string"],
  [null, { min: 1 }, "timeoutMs must be a number of 1 or more, but it is of type null"],
] as const)("%s does not pass %o", (value, range, message) => {
  expect(() => checkNumber("timeoutMs", value, range)).toThrow(new RangeError(message));
});

it("names the path of an option in a group", () => {
  const ranges = { attempts: { min: 1, whole: true }, maxWaitMs: { min: 0 } } as const;
  expect(() => checkNumbers("retry.policy", { attempts: 3 }, ranges)).not.toThrow();
  expect(() => checkNumbers("retry.policy", { attempts: 3, maxWaitMs: -1 }, ranges)).toThrow(
    "retry.policy.maxWaitMs must be",
  );
  expect(() => checkNumbers("", { attempts: 0 }, ranges)).toThrow(/^attempts must be a whole number of 1 or more/);
});
