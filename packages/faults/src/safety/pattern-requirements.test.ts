import { describe, expect, it } from "vitest";
import { alternativesOf, requirementsOf, traitsOf } from "./pattern-requirements.ts";

describe("requirementsOf", () => {
  it.each<[RegExp, readonly string[] | undefined]>([
    [/\bHello\b/, ["hello"]],
    [/ab|abc/, undefined],
    [/(?:foo|bar)baz?/, ["fooba", "barba", "foobaz", "barbaz"]],
    [/(?:optional)?x/, undefined],
    [/abcd\d/, ["abcd"]],
    [/a{3}/, ["aaa"]],
    [/[Pp]ass/, ["pass"]],
    [/x(?=token)y/, undefined],
    [/(?:select|token)\w{0,5}=/, ["select", "token"]],
    [/é{3}abc/, ["abc"]],
    [/(?:long|\w)x/, undefined],
  ])("%s needs one of %j", (pattern, some) => {
    expect(requirementsOf(pattern).some).toStrictEqual(some);
  });

  it.each<[RegExp, string, number]>([
    [/\d{4}-\d{2}/, "-", 6],
    [/[A-Z]{2}:\w/, "A:", 0],
    [/[A-Z]{2}:\w/i, ":", 0],
    [/@|=/, "", 0],
    [/\d{3}|\d/, "", 1],
    [/(?:@x)?\./, ".", 0],
    [/[路街]\d/, "é", 1],
    [/\u0430\d/, "é", 1],
  ])("%s needs the traits of %j and %i digits", (pattern, marks, digits) => {
    const needs = requirementsOf(pattern);
    expect([needs.traits, needs.digits]).toStrictEqual([traitsOf(marks), digits]);
  });
});

describe("alternativesOf", () => {
  it("splits at the outer bars only, and not if the pattern refers to a group", () => {
    expect(alternativesOf(/a(?:b|c)|[|]d|e\|f/i)).toStrictEqual([/a(?:b|c)/i, /[|]d/i, /e\|f/i]);
    expect(alternativesOf(/(a)\1|b/)).toStrictEqual([/(a)\1|b/]);
  });
});
