import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { closient, erlmcp, http, mcp, onx, platica, qaqnuz } from "../../../src/dialects/index.ts";
import { QAQNUZ_CLASSES } from "../../../src/dialects/qaqnuz/table.ts";
import { KINDS } from "../../../src/index.ts";
import { LEGAL_CODES } from "../../../src/wire/revisions.ts";

// Each dialect has a page, and the page has a row for each of its codes.

const pageOf = ({ name }: { readonly name: string }) =>
  readFileSync(new URL(`../../../../../docs/dialects/${name}.md`, import.meta.url), "utf8").split("\n");

test.each([closient, erlmcp, onx, platica])("the page of $name has every code with its reason", (dialect) => {
  const rows = pageOf(dialect).filter((line) => line.startsWith("|"));
  for (const [code, reason] of Object.entries(dialect.codes?.published() ?? {}))
    expect(
      rows.filter((row) => row.includes(code) && row.includes(reason)),
      code,
    ).not.toEqual([]);
});

test("the page of qaqnuz has every class with its reason", () => {
  for (const [group, { reason }] of Object.entries(QAQNUZ_CLASSES))
    expect(pageOf(qaqnuz).join("\n")).toContain(`| \`${group}\` | \`${reason.id}\` | \`${reason.kind}\` |`);
});

test("the page of mcp has every code of the revisions", () => {
  for (const code of Object.values(LEGAL_CODES).flat()) expect(pageOf(mcp).join("\n")).toContain(String(code));
});

test("the page of http has the status of every kind, and links to the table", () => {
  const page = pageOf(http);
  const groups = Map.groupBy(Object.entries(KINDS), ([, { httpStatus }]) => httpStatus);
  for (const [status, kinds] of groups)
    expect(page.join("\n")).toContain(`${status} ${kinds.map(([kind]) => kind).join(", ")}`);
  expect(page.length).toBeLessThanOrEqual(121);
  expect(page.join("\n")).toContain("(../http-table.md)");
});
