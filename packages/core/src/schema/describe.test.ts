import { rowsOf } from "@recourse/test-kit/rows";
import { expect, it } from "vitest";
import { describeSchema } from "./describe.ts";
import { startScope } from "./scope.ts";

const phraseOf = (schema: unknown) => describeSchema(startScope(schema), schema);

it.each(rowsOf<[phrase: string, schema: object]>(import.meta.url, "phrases"))("describes: %s", (phrase, schema) => {
  expect(phraseOf(schema)).toBe(phrase);
});

it.each([{}, true, undefined, null, 7, { $ref: "#" }, { $ref: "other.json" }, { anyOf: [{}, { type: "string" }] }])(
  "describes nothing where a schema allows anything",
  (schema) => {
    expect(phraseOf(schema)).toBeUndefined();
  },
);

it("lists as many choices as fit, and how many more there are", () => {
  const names = Array.from({ length: 300 }, (_, index) => `choice-${index}`);
  expect(phraseOf({ enum: names })).toBe(
    "one of choice-0, choice-1, choice-2, choice-3, choice-4, choice-5, choice-6, choice-7, choice-8 and 291 more",
  );
});
