import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../content/sources.ts";
import { describeFaultMembers } from "./fault-members.ts";
import type { SchemaNode } from "./schema-page.ts";

test("every member of the published schema has a description", () => {
  const schema = JSON.parse(readFileSync(join(ROOT, "packages/faults/schema/fault.json"), "utf8")) as SchemaNode;
  const paths = Object.entries(schema.properties ?? {}).flatMap(([name, node]) => [
    name,
    ...Object.keys((node.items ?? node).properties ?? {}).map((member) => `${name}.${member}`),
  ]);
  const descriptions = describeFaultMembers();
  expect(paths).toContain("retry.afterMs");
  expect(paths.filter((path) => !descriptions.has(path))).toEqual([]);
});
