import { expect, it } from "vitest";
import { isDataError } from "./pool.ts";

it.each(["22021", "22P05", "23514", "54000"])("%s is the fault of the data", (code) => {
  expect(isDataError(Object.assign(new Error("no"), { code }))).toBe(true);
});

it.each([
  ...["08006", "53300", "57P01", "40001", "42P01", "ECONNREFUSED", "22", 22_021].map((code) => ({ code })),
  ...[null, undefined, "22021", new Error("22021")],
])("%j is not", (error) => {
  expect(isDataError(error)).toBe(false);
});
