import { describe, expect, it } from "vitest";
import { Prefilter } from "./prefilter.ts";

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
