import { expect, it } from "vitest";
import { previewArguments } from "./preview-arguments.ts";

it.each([
  ['{"order":4711,"amount":249.00,"reason":"damaged","more":1}', ["order 4711", "amount 249.00", "reason damaged"]],
  ['{"id":12345678901234567890}', ["id 12345678901234567890"]],
  ['{"items":[1,2],"to":{"a":1},"is":null}', ["items [2]", "to {…}", "is null"]],
  [`{"text":"${"x".repeat(50)}"}`, [`text ${"x".repeat(40)}…`]],
  ["[1]", []],
  ["", []],
  ["{", []],
])("previews %s", (text, expected) => {
  expect(previewArguments(text).map(({ name, value }) => `${name} ${value}`)).toEqual(expected);
});
