import { describe, expect, it } from "vitest";
import { alternativesOf, Prefilter, readRequirements, traitsOf } from "./prefilter.ts";

const indexesIn = (marks: Uint8Array) => [...marks.keys()].filter((index) => marks[index] === 1);

describe("Prefilter", () => {
  it.each<[RegExp, string, boolean]>([
    [/needle/, "a needle b", true],
    [/needle/i, "a NEEDLE b", true],
    [/needle/, "a need le b", false],
    [/needle/, "needle", true],
    [/abc/, "xxabc", true],
    [/abc/, "abxc", false],
    [/abcd\d{2}/, "abcd 12", true],
    [/abcd\d{2}/, "abcd 1", false],
    [/\d{3}/, "1 2 3", true],
    [/\d{3}/, "1 2 /", false],
    [/\d{3}/, "1 2 :", false],
    [/\d{2}/, "09", true],
    [/[A-Z]{2}@/, "A@", true],
    [/[A-Z]{2}@/, "a@", false],
    [/[A-Z]{2}@/, "A", false],
    [/\w{3}/, "", true],
    [/quartz|sphinx/, "a sphinx", true],
    [/quartz|sphinx/, "a quart z", false],
    // Characters that become two in lower case must not move the others.
    [/needle/, "İİİ needle", true],
    [/needle/i, "İİİ NEEDLE", true],
    [/\u0430bcd/, "\u0430bcd", true],
    [/\u0430bcd/, "abcd", false],
    [/the tests/, "run the tests", true],
    [/xyzabc/, "xyzab", false],
  ])("tells whether %s can match %j", (pattern, text, expected) => {
    expect(indexesIn(new Prefilter([pattern]).candidates(text))).toStrictEqual(expected ? [0] : []);
  });

  it("keeps patterns apart that need the same literal", () => {
    const several = new Prefilter([/needle\d/, /needle@/, /needles/, /hay/, /needle\w/]);
    expect(indexesIn(several.candidates("a needle 1"))).toStrictEqual([0, 4]);
    expect(indexesIn(several.candidates("needles@hay1"))).toStrictEqual([0, 2, 3, 4]);
    expect(indexesIn(several.candidates("nothing"))).toStrictEqual([]);
  });
});

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
    [/ab*cde/, ["cde"]],
    [/abc+/, undefined],
    [/abcd+/, ["abc"]],
    [/abcd?/, ["abc", "abcd"]],
    [/abc{0,1}d/, ["abd", "abcd"]],
    [/abc{0,3}defg/, ["defg"]],
    [/abc{2}/, ["abcc"]],
    [/(?:abc){2}/, ["abcabc"]],
    [/(?:abc|xyz){2,3}/, ["abc", "xyz"]],
    [/abc{x/, ["abc{x"]],
    [/abc.def/, ["abc"]],
    [/abc.defg/, ["defg"]],
    [/(?:one|two).abc/, ["abc"]],
    [/^abc$/, ["abc"]],
    [/a\/b\.c/, ["a/b.c"]],
    [/a\sbcd/, ["bcd"]],
    [/\p{L}abc/u, ["abc"]],
    [/(?!abc)def/, ["def"]],
    [/(?<!abc)def/, ["def"]],
    [/(?<=abc)def/, ["def"]],
    [/[abc]de/, ["ade", "bde", "cde"]],
    [/[a-z]def/, ["def"]],
    [/[^a]def/, ["def"]],
    [/[\]x]def/, ["def"]],
    [/(?:abc|)/, undefined],
    [/(?:abc|d*)xyz/, ["xyz"]],
    [/\w?xyz/, ["xyz"]],
    [/a{12}/, ["aaaaaaaaaaaa"]],
    [/abc{1,1}defg/, ["defg"]],
    [/(?:abc){0,3}xy/, undefined],
    [/(?:abc|xyz){2}/, ["abc", "xyz"]],
    [/éabc/, ["abc"]],
    [/ab\b-c/, ["ab-c"]],
    [/(?:abcd|efgh).xyz/, ["abcd", "efgh"]],
    [/(?:abc|def).xyz/, ["xyz"]],
  ])("%s needs one of %j", (pattern, some) => {
    expect(readRequirements(pattern).some).toStrictEqual(some);
  });

  it("lists up to 64 literals", () => {
    expect(readRequirements(/[abcdefgh][ijklmnop]x/).some).toHaveLength(64);
    expect(readRequirements(/[abcdefgh][ijklmnop][xy]/).some).toBe(undefined);
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
    [/[0-9]{2,}x/, "", 2],
    [/[\d5]+/, "", 1],
    [/[02468]/, "", 1],
    [/(?:\d\d@)*/, "", 0],
    [/(?:\d\d@){2}/, "@", 4],
    [/(?=\d{3})@/, "0@", 0],
    [/(?=@)x/, "@", 0],
    [/(?!@)x/, "", 0],
    [/ABCx/, "A", 0],
    [/ABCx/i, "", 0],
    [/[.:]x/, "", 0],
    [/[..]x/, ".", 0],
    [/v1\.2/, ".", 2],
    [/[ABCDE]x/, "A", 0],
    [/[A-CX-Z]{2}/, "", 0],
    [/é/, "é", 0],
    [/[a5]x/, "", 0],
    [/[5a]x/, "", 0],
    [/[ABCDEFGHIJ]x/, "A", 0],
    [/[A-CE-FG-HJ-KM-N]x/, "A", 0],
    [/[a-cABCDE]x/, "", 0],
    [/[ABCDEa-c]x/, "", 0],
    [/[\u0430-\u044f]/, "é", 0],
    [/[\u0430\u0431]/, "é", 0],
    [/[\u0041-\u044f]/, "", 0],
    [/[éa]/, "", 0],
    [/[aé]/, "", 0],
    [/(?:@x){0,2}\./, ".", 0],
  ])("%s needs the traits of %j and %i digits", (pattern, marks, digits) => {
    const needs = readRequirements(pattern);
    expect([needs.traits, needs.digits]).toStrictEqual([traitsOf(marks), digits]);
  });
});

it("counts all characters beyond ASCII as one trait", () => {
  expect([traitsOf("\u0080"), traitsOf("\u{1f600}")]).toStrictEqual([traitsOf("é"), traitsOf("é")]);
  expect(traitsOf("\u007f")).toBe(0);
});

describe("alternativesOf", () => {
  it("splits at the outer bars only, and not if the pattern refers to a group", () => {
    expect(alternativesOf(/a(?:b|c)|[|]d|e\|f/i)).toStrictEqual([/a(?:b|c)/i, /[|]d/i, /e\|f/i]);
    expect(alternativesOf(/(a)\1|b/)).toStrictEqual([/(a)\1|b/]);
  });
});
