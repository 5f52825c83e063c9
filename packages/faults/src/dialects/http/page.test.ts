// The page about this dialect repeats what it writes; this test keeps them alike. The table that it reads is generated.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { BY_KIND } from "./table.ts";

const page = readFileSync(new URL("../../../../../docs/dialects/http.md", import.meta.url), "utf8");

it("has the status of every kind", () => {
  const groups = Map.groupBy(Object.entries(BY_KIND), ([, { status }]) => status);
  for (const [status, kinds] of groups) expect(page).toContain(`${status} ${kinds.map(([kind]) => kind).join(", ")}`);
});

it("is short, and leads to the table", () => {
  expect(page.trimEnd().split("\n").length).toBeLessThanOrEqual(120);
  expect(page).toContain("(../http-table.md)");
});
