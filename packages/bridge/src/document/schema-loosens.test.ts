// Every value that a document allows is allowed by the schema that a tool publishes.

import { runs } from "@recourse/test-kit/runs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { fitSchemas } from "./convert-schema.ts";

const { schema: schemas } = fc.letrec<{ schema: object }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<object>(
      { type: "string", minLength: 1 },
      { type: "string", pattern: "^(a|b)*$" },
      { type: ["integer", "null"], minimum: 0 },
      { enum: ["a", 1, null] },
      { const: true },
      { $ref: "#/components/schemas/tree" },
      {},
    ),
    fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie("schema") }),
    fc.record({ type: fc.constant("array"), items: tie("schema"), maxItems: fc.nat(3) }),
    fc.record({
      type: fc.constant("object"),
      properties: fc.dictionary(fc.constantFrom("a", "b", "c"), tie("schema")),
      required: fc.uniqueArray(fc.constantFrom("a", "b")),
      additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
    }),
  ),
}));
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>("a", "", "ab", 1, -1, null, true, 0.5),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c", "d"), tie("value")),
  ),
}));
const tree = {
  type: "object",
  properties: { a: { $ref: "#/components/schemas/tree" }, b: { type: "string" } },
  additionalProperties: false,
};

const ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false });

it("only loosens, for any schema and any limit", () => {
  let allowed = 0;
  fc.assert(
    fc.property(
      schemas,
      fc.array(values, { minLength: 4, maxLength: 8 }),
      fc.integer({ min: 1, max: 40 }),
      (node, some, room) => {
        const root = { components: { schemas: { tree } } };
        const [published = {}] = fitSchemas({ version: "3.1", root }, [node], room).schemas;
        const [before, after] = [ajv.compile({ ...root, allOf: [node] }), ajv.compile(published)];
        ajv.removeSchema();
        for (const value of some.filter((one) => before(one))) {
          allowed += 1;
          expect([after(value), published]).toEqual([true, published]);
        }
      },
    ),
    { numRuns: runs(200) },
  );
  expect(allowed).toBeGreaterThan(0);
});
