import { runs } from "@recourse/test-kit/runs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import { FAULT_LIMITS } from "../fault/fault.ts";
import { issuesFor } from "./issues.ts";

type Schema = Record<string, unknown>;

const KEYS = ["name", "size", "tags", "colour"];
const WORDS = ["red", "green", "blue"];
/** Begins every text that only the caller knows; no phrase of ours and no schema holds it. */
const MARK = "Zq7";

const scalar: fc.Arbitrary<Schema> = fc.oneof(
  fc.record(
    { type: fc.constant("string"), minLength: fc.nat(3), maxLength: fc.integer({ min: 3, max: 9 }) },
    { requiredKeys: ["type"] },
  ),
  fc.record(
    {
      type: fc.constantFrom("integer", "number"),
      minimum: fc.integer({ max: 0, min: -9 }),
      exclusiveMaximum: fc.integer({ min: 2, max: 9 }),
    },
    { requiredKeys: ["type"] },
  ),
  fc.record({ type: fc.constant("integer"), multipleOf: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ type: fc.constant("string"), pattern: fc.constantFrom("^[a-z]+$", "e", "^(?:red|blue)$") }),
  fc.record({ enum: fc.subarray<unknown>([...WORDS, 1, null], { minLength: 1 }) }),
  fc.record({ const: fc.constantFrom<unknown>("red", 1, true) }),
  fc.constantFrom<Schema>({ type: "boolean" }, { type: ["string", "null"] }, { $ref: "#/$defs/short" }, {}),
);

const { schema: nested } = fc.letrec<{ schema: Schema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    scalar,
    fc.record(
      {
        type: fc.constant("array"),
        items: tie("schema"),
        minItems: fc.nat(2),
        maxItems: fc.integer({ min: 2, max: 4 }),
        uniqueItems: fc.boolean(),
      },
      { requiredKeys: ["type"] },
    ),
    objectOf(tie("schema")),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({
      type: fc.constant("array"),
      prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
      items: fc.constant(false),
    }),
    fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ not: tie("schema") }),
    fc.record({ type: fc.constant("array"), contains: tie("schema"), minContains: fc.nat(2), maxContains: fc.nat(3) }),
    // biome-ignore lint/suspicious/noThenProperty: it is a keyword of JSON Schema.
    fc.record({ if: tie("schema"), then: tie("schema"), else: tie("schema") }),
    fc.record({
      dependentRequired: fc.dictionary(fc.constantFrom(...KEYS), fc.subarray(KEYS), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
      dependentSchemas: fc.dictionary(fc.constantFrom(...KEYS), tie("schema"), { maxKeys: 2, noNullPrototype: true }),
    }),
  ),
}));

function objectOf(member: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> {
  return fc.record(
    {
      type: fc.constant("object"),
      properties: fc.dictionary(fc.constantFrom(...KEYS), member, { maxKeys: 3, noNullPrototype: true }),
      required: fc.subarray(KEYS),
      additionalProperties: fc.oneof(fc.boolean(), member),
      patternProperties: fc.dictionary(fc.constant("^[A-Z]"), member, { maxKeys: 1, noNullPrototype: true }),
      propertyNames: fc.oneof(
        fc.record({ maxLength: fc.integer({ min: 4, max: 9 }) }),
        fc.record({ enum: fc.subarray(KEYS, { minLength: 1 }) }),
      ),
      maxProperties: fc.integer({ min: 1, max: 4 }),
    },
    { requiredKeys: ["type"] },
  );
}

const schemas = objectOf(nested).map(
  (schema): Schema => ({ ...schema, $defs: { short: { type: "string", maxLength: 4 } } }),
);

const marked = fc.string({ maxLength: 6 }).map((text) => `${MARK}${text}`);
const { value: values } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    fc.constantFrom<unknown>(...WORDS, "rde", "", "gren", 0, 1, 1.5, 4, -20, true, null),
    marked,
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...KEYS, "nmae"), marked), tie("value"), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
}));
const args = fc.dictionary(
  fc.oneof({ arbitrary: fc.constantFrom(...KEYS), weight: 3 }, { arbitrary: marked, weight: 1 }),
  values,
  { maxKeys: 4, noNullPrototype: true },
);
const paths = fc.array(
  fc.array(fc.oneof(fc.constantFrom<string | number>(...KEYS, 0, 1, "0"), marked), { maxLength: 4 }),
  { maxLength: 6 },
);

it("finds something wrong exactly when a full validator does", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  fc.assert(
    fc.property(schemas, args, (schema, given) => {
      expect(issuesFor(given, schema, []).length === 0).toBe(ajv.validate(schema, given));
    }),
    { numRuns: runs() },
  );
});

it("never shows a text that only the arguments or the paths hold", () => {
  fc.assert(
    fc.property(schemas, args, paths, (schema, given, reported) => {
      // The names of unknown arguments are the caller's own.
      const shown = [...issuesFor(given, schema, reported), ...issuesFor(given, schema, [])];
      expect(JSON.stringify(shown.map(({ keys: _keys, ...issue }) => issue))).not.toContain(MARK);
      for (const key of shown.flatMap(({ keys = [] }) => keys)) expect(key).toMatch(/^[A-Za-z_][\w.-]{0,63}$/);
    }),
    { numRuns: runs() },
  );
});

it("keeps to the limits, repeats nothing, and is deterministic", () => {
  fc.assert(
    fc.property(schemas, args, paths, (schema, given, reported) => {
      const issues = issuesFor(given, schema, reported);
      expect(issues).toEqual(issuesFor(structuredClone(given), structuredClone(schema), reported));
      expect(issues.length).toBeLessThanOrEqual(FAULT_LIMITS.issues);
      expect(new Set(issues.map((issue) => JSON.stringify(issue))).size).toBe(issues.length);
      for (const issue of issues) {
        expect(issue.expected?.length ?? 0).toBeLessThanOrEqual(FAULT_LIMITS.issueText);
        expect(issue.suggestion?.length ?? 0).toBeLessThanOrEqual(FAULT_LIMITS.issueText);
      }
      if (reported.length > 0) expect(issues).not.toEqual([]);
    }),
    { numRuns: runs() },
  );
});

it("takes any schema and any arguments", () => {
  const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true });
  const keyword = fc.constantFrom(
    ...`type properties items required anyOf allOf enum $ref pattern if minLength additionalProperties
      propertyNames prefixItems multipleOf oneOf not contains dependentSchemas patternProperties`.split(/\s+/),
  );
  const odd = fc.dictionary(keyword, fc.oneof(anything, nested, fc.array(nested)), { noNullPrototype: true });
  fc.assert(
    fc.property(fc.oneof(odd, anything), fc.oneof(anything, args), paths, (schema, given, reported) => {
      expect(Array.isArray(issuesFor(given, schema as Schema, reported))).toBe(true);
      expect(Array.isArray(issuesFor(given, schema as Schema, []))).toBe(true);
    }),
    { numRuns: runs() },
  );
});
