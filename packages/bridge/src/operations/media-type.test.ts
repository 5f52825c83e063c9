import { expect, it } from "vitest";
import { bodyFormOf, essenceOf, isMediaType } from "./media-type.ts";

it.each([
  ["application/json", "json"],
  ["application/json; charset=utf-8", "json"],
  ["application/vnd.api+json", "json"],
  ["application/merge-patch+json", "json"],
  ["*/*", "json"],
  ["application/x-www-form-urlencoded", "form"],
  ["multipart/form-data", "multipart"],
  ["text/csv", "text"],
  ["application/octet-stream", "binary"],
  ["image/png", "binary"],
  ["application/xml", undefined],
  ["text/xml", undefined],
  ["application/apply-patch+yaml", undefined],
  ["image/*", undefined],
  ["nonsense", undefined],
])("sends %s as %s", (type, form) => {
  expect(bodyFormOf(type)?.form).toBe(form);
});

it("prefers JSON, and merge patches over other patches", () => {
  const rank = (type: string) => bodyFormOf(type)?.rank ?? Infinity;
  expect(rank("application/json")).toBeLessThan(rank("multipart/form-data"));
  expect(rank("application/merge-patch+json")).toBeLessThan(rank("application/json-patch+json"));
});

it("recognises media types that a header can hold", () => {
  expect(['a/b; c="d e"', "application/vnd.x+json"].every(isMediaType)).toBe(true);
  expect(["a/b\r\nX: y", "a/b; c", "a", "a/b;c=d\n", "*/*,a/b"].some(isMediaType)).toBe(false);
  expect(essenceOf("Text/CSV ; charset=x")).toBe("text/csv");
});
