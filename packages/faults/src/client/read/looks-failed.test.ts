import { expect, it } from "vitest";
import { looksFailed } from "./looks-failed.ts";

it.each<[unknown]>([
  [{ isError: true }],
  [{ error: { code: -32200, message: "x" } }],
  [{ error_class: "terminal", sanitized_error: "x" }],
  [{ structuredContent: { error_class: "terminal" } }],
  [{ _meta: { "recourse/error_class": "terminal" } }],
])("%j is looked at more closely", (result) => {
  expect(looksFailed(result)).toBe(true);
});

it.each<[unknown]>([
  [{ content: [] }],
  [{ isError: false, content: [] }],
  [{ error: null }],
  [{ structuredContent: null, _meta: null }],
  [{ structuredContent: { valid: false } }],
  ["isError"],
  [undefined],
  [null],
])("%j is a success", (result) => {
  expect(looksFailed(result)).toBe(false);
});
