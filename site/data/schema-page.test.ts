import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../content/sources.ts";
import { describeType, renderSchema, type SchemaNode } from "./schema-page.ts";

const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), "utf8")) as SchemaNode;

test("a member has a name, a type, a default, a description and its values", () => {
  const text = renderSchema({
    properties: { mode: { type: "string", enum: ["on", "off"], default: "on", description: "Whether it runs." } },
    required: ["mode"],
  });
  expect(text).toContain('| <a id="mode"></a> `mode` | string | yes | `"on"` | Whether it runs. One of `on`, `off`. |');
});

test("an object has a section, and its members have anchors with its name", () => {
  const text = renderSchema({ properties: { retry: { properties: { afterMs: { type: "integer", minimum: 0 } } } } });
  expect(text).toContain("| [`retry`](#retry) |");
  expect(text).toContain("## `retry` {#retry}");
  expect(text).toContain('<a id="retry.afterMs"></a> `afterMs` | integer | no |  | At least 0. |');
});

test("objects in lists and in maps are found", () => {
  const inside: SchemaNode = { type: "object", properties: { url: { type: "string" } } };
  expect(renderSchema({ properties: { all: { type: "array", items: inside } } })).toContain('<a id="all.url">');
  expect(renderSchema({ properties: { all: { additionalProperties: inside } } })).toContain('<a id="all.*.url">');
  expect(renderSchema({ properties: { all: { anyOf: [{ const: "none" }, inside] } } })).toContain('<a id="all.url">');
});

test("a pattern with a bar does not end the cell", () => {
  expect(renderSchema({ properties: { a: { pattern: "^(?:b|c)$" } } })).toContain("`^(?:b\\|c)$`");
});

test("an address in an example is no link", () => {
  expect(renderSchema({ properties: { a: { title: "such as shop: { url: https://… }" } } })).toContain(
    "Form: such as shop: `{ url: https://… }`.",
  );
});

test.each<readonly [SchemaNode, string]>([
  [{ type: ["string", "null"] }, "string or null"],
  [{ type: "array", items: { type: "string" } }, "list of string"],
  [{ type: "object", additionalProperties: { type: "number" } }, "map of number"],
  [{ anyOf: [{ const: "any" }, { type: "array", items: { type: "string" } }] }, '`"any"` or list of string'],
  [{ $ref: "#" }, "the same again"],
])("the type of %j", (node, text) => {
  expect(describeType(node)).toBe(text);
});

test.each(["packages/faults/schema/fault.json", "packages/gateway/gateway.schema.json"])(
  "every anchor of %s is there once",
  (file) => {
    const ids = [...renderSchema(read(file)).matchAll(/<a id="([^"]+)">|\{#([^}]+)\}$/gm)].map(([, a, b]) => a ?? b);
    expect(ids.length).toBeGreaterThan(40);
    expect(ids.filter((id, place) => ids.indexOf(id) !== place)).toEqual([]);
  },
);
