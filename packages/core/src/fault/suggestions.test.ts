import { expectCost } from "@recourse/test-kit/yardstick";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestNames, unknownKeyIssue } from "./suggestions.ts";

describe("nearestNames", () => {
  it.each([
    // one edit up to four characters, two up to eight, three beyond
    ["abcd", "abcx", true],
    ["abcd", "abxx", false],
    ["abc", "abcd", true],
    ["abc", "abcde", true],
    ["ab", "abcd", false],
    ["abcde", "abcxx", true],
    ["abcde", "abxxx", false],
    ["abcdefgh", "abcdefxx", true],
    ["abcdefgh", "abcdexxx", false],
    ["abcdefghi", "abcdefxxx", true],
    ["abcdefghi", "abcdexxxx", false],
    // the longer of the two decides
    ["abcdefgh", "abcdefghixx", true],
    ["abcd", "abcdxx", true],
    ["abcdxx", "abcd", true],
    // case and separators count for nothing
    ["List_Users", "list-users", true],
    ["listusers", "list.us ers", true],
    ["LISTUSERS", "list_users", true],
    ["listusers", "l/istu/sers///", false],
    ["abcd", "wxyz", false],
    ["", "ab", false],
    ["ab", "", false],
  ])("%j and %j: near is %s", (asked, known, near) => {
    expect(nearestNames(asked, [known])).toEqual(near ? [known] : []);
  });

  it("puts the best first and sorts equals by name", () => {
    expect(nearestNames("search", ["searhc_", "search", "zearch", "bearch", "seeearch"])).toEqual([
      "search",
      "bearch",
      "searhc_",
    ]);
    expect(nearestNames("search", ["zearch", "bearch", "search"], 9)).toEqual(["search", "bearch", "zearch"]);
    expect(nearestNames("search", ["bearch", "zearch", "search"], 9)).toEqual(["search", "bearch", "zearch"]);
  });

  it.each([
    [0, []],
    [1, ["aaaa"]],
    [2, ["aaaa", "aaab"]],
    [3, ["aaaa", "aaab", "aaac"]],
    [5, ["aaaa", "aaab", "aaac", "aaad"]],
  ])("returns at most %d", (most, expected) => {
    expect(nearestNames("aaaa", ["aaad", "aaac", "aaab", "aaaa"], most)).toEqual(expected);
  });

  it("returns three by default", () => {
    expect(nearestNames("aaaa", ["aaad", "aaac", "aaab", "aaaa"])).toHaveLength(3);
  });

  it("compares the first 64 characters", () => {
    const long = "x".repeat(64);
    expect(nearestNames(`${long}abcd`, [`${long}wxyz`])).toEqual([`${long}wxyz`]);
    expect(nearestNames(`${long.slice(4)}abcd`, [`${long.slice(4)}wxyz`])).toEqual([]);
  });

  it("takes any iterable and keeps the names as they are", () => {
    expect(nearestNames("getuser", new Set(["Get User"]))).toEqual(["Get User"]);
    expect(nearestNames("getuser", new Map([["get_user", 1]]).keys())).toEqual(["get_user"]);
  });
});

/** The number of edits by the whole table, and the reach of a name of some length. */
function editsBetween(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => Array.from({ length: b.length + 1 }, (_, j) => i + j));
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const ways = [at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1)];
      (rows[i] as number[])[j] = Math.min(...ways, isSwapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY);
    }
  }
  return at(a.length, b.length);
}

describe("the distance", () => {
  it("is that of the whole table, within the reach", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 14 });
    fc.assert(
      fc.property(word, word, (asked, known) => {
        const longest = Math.max(asked.length, known.length);
        const reach = longest <= 4 ? 1 : longest <= 8 ? 2 : 3;
        expect(nearestNames(asked, [known])).toEqual(editsBetween(asked, known) <= reach ? [known] : []);
      }),
      { numRuns: 3_000 },
    );
  });

  it("is cheap for ten thousand names that begin alike", async () => {
    const names = Array.from({ length: 10_000 }, (_, at) => `upstream__tool_name_${at}_${"x".repeat(30)}`);
    const asked = `upstream__tool_nmae_77_${"x".repeat(30)}`;
    await expectCost({
      work: () => expect(nearestNames(asked, names, 1)).toEqual([names[77]]),
      yardstick: () => names.map((name) => Array.from(name)),
      atMost: 50,
    });
  });
});

describe("unknownKeyIssue", () => {
  it("points to the parent and names the nearest key", () => {
    expect(unknownKeyIssue(["filter", 0], "limt", ["offset", "limit", "limits"])).toEqual({
      pointer: "/filter/0",
      rule: "unknown",
      suggestion: "limit",
    });
  });

  it("suggests nothing when no key is near", () => {
    expect(unknownKeyIssue([], "password", ["limit"])).toStrictEqual({ pointer: "", rule: "unknown" });
    expect(unknownKeyIssue(["a/b", "c~d"], "x", [])).toStrictEqual({ pointer: "/a~1b/c~0d", rule: "unknown" });
  });

  it("never shows the key itself", () => {
    expect(JSON.stringify(unknownKeyIssue([], "hunter2hunter2", ["hunter3hunter2"]))).not.toContain("hunter2hunter2");
  });
});
