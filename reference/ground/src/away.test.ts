import pg from "pg";
import { expect, test } from "vitest";
import { isAway } from "./away.ts";

test.each(["57P01", "57P03", "53300", "08006"])(
  "a database that shuts down or has no place left is away: %s",
  (code) => {
    expect(isAway(Object.assign(new pg.DatabaseError("x", 1, "error"), { code, severity: "FATAL" }))).toBe(true);
  },
);

test("so is one whose connection broke, which the driver tells by its words alone", () => {
  expect(isAway(new Error("Connection terminated"))).toBe(true);
});

test.each([
  [new TypeError("x is undefined")],
  [Object.assign(new pg.DatabaseError("x", 1, "error"), { code: "42P01", severity: "ERROR" })],
  [Object.assign(new pg.DatabaseError("x", 1, "error"), { code: "3D000", severity: "FATAL" })],
])("a bug or a wrong set-up is no outage: %s", (thrown) => {
  expect(isAway(thrown)).toBe(false);
});
