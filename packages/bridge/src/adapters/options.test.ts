import { expect, it } from "vitest";
import { resolveOptions } from "./options.ts";

it("fills in the defaults", () => {
  const breaker = { failures: 9, pauseMs: 1_000, maxPauseMs: 5_000 };
  expect(resolveOptions({ breaker: { failures: 9 } })).toMatchObject({ breaker, deadlineMs: 30_000 });
});

it.each([0, Number.NaN, 2 ** 31, "5" as never])("refuses a limit of %j", (deadlineMs) => {
  expect(() => resolveOptions({ deadlineMs })).toThrow("deadlineMs must be a number from 1");
});
