import { expect, it } from "vitest";
import type { Document } from "../document.ts";
import { fitSchemas } from "./fit.ts";

/** A schema that doubles on each of forty levels. */
const doubling: Document = {
  version: "3.1",
  root: {
    level: Object.fromEntries(
      Array.from({ length: 40 }, (_, level) => [
        `l${level}`,
        { type: "object", properties: { a: { $ref: `#/level/l${level + 1}` }, b: { $ref: `#/level/l${level + 1}` } } },
      ]),
    ),
  },
};

function count(schema: unknown): number {
  if (typeof schema !== "object" || schema === null) return 0;
  const own = "type" in schema ? 1 : 0;
  return Object.values(schema).reduce((sum: number, child) => sum + count(child), own);
}

it("goes as deep as there is room", () => {
  const fitted = fitSchemas(doubling, [{ $ref: "#/level/l0" }], { side: "request", mostSchemas: 100 });
  expect(count(fitted.schemas)).toBe(63);
  expect([...fitted.notes]).toEqual(["cut"]);
});

it("shares the room among all the schemas of a tool", () => {
  const nodes = Array(3).fill({ $ref: "#/level/l0" });
  const { schemas } = fitSchemas(doubling, nodes, { side: "request", mostSchemas: 100 });
  expect(schemas.map(count)).toEqual([31, 31, 31]);
});

it("keeps at least the first level, however many there are", () => {
  const nodes = Array(200).fill({ type: "object", properties: { a: {} } });
  const { schemas } = fitSchemas(doubling, nodes, { side: "request", mostSchemas: 10 });
  expect(schemas).toEqual(Array(200).fill({ type: "object" }));
});

it("converts what fits as it is", () => {
  const { schemas, notes } = fitSchemas(doubling, [{ type: "string" }, { const: 1 }], { side: "request" });
  expect(schemas).toEqual([{ type: "string" }, { const: 1 }]);
  expect(notes.size).toBe(0);
});
