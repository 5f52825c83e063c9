import { expect, it } from "vitest";
import { defaultOf, showableChoices } from "./keywords.ts";

it("copies all choices or none", () => {
  expect(showableChoices(["a", 1, null, false])).toEqual(["a", 1, null, false]);
  for (const hostile of ["a\nb", "x".repeat(300), "a\u200b", { a: 1 }])
    expect(showableChoices(["a", hostile])).toBeUndefined();
  expect(showableChoices([])).toBeUndefined();
  expect(showableChoices(Array(501).fill("a"))).toBeUndefined();
});

it("copies defaults that can be shown", () => {
  for (const value of ["a", 0, false, null, ["a"], { a: { b: 1 } }]) expect(defaultOf(value)).toEqual(value);
  for (const value of ["a\u0000", "x".repeat(300), ["a\u202e"], { a: "x".repeat(2_000) }])
    expect(defaultOf(value)).toBeUndefined();
});
