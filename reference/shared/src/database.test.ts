import pg from "pg";
import { expect, test } from "vitest";
import { isOutage } from "./database.ts";

test.each(["57P01", "57P03", "53300", "08006"])(
  "a database that shuts down or has no free connection is an outage: %s",
  async (code) => {
    expect(await isOutage(Object.assign(new pg.DatabaseError("x", 1, "error"), { code, severity: "FATAL" }))).toBe(
      true,
    );
  },
);

test("a broken connection is an outage, which the driver reports without a code", async () => {
  expect(await isOutage(new Error("Connection terminated"))).toBe(true);
});

test.each([
  [new TypeError("x is undefined")],
  [Object.assign(new pg.DatabaseError("x", 1, "error"), { code: "42P01", severity: "ERROR" })],
  [Object.assign(new pg.DatabaseError("x", 1, "error"), { code: "3D000", severity: "FATAL" })],
])("a bug or a misconfiguration is not an outage: %s", async (thrown) => {
  expect(await isOutage(thrown)).toBe(false);
});
