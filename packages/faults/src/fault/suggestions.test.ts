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
    // insertion, deletion and a swap of neighbours are one edit each
    ["abcd", "abxcd", true],
    ["abcd", "acd", true],
    ["abcd", "abdc", true],
    ["abcd", "bacd", true],
    ["abcd", "dbca", false],
    ["abcd", "badc", false],
    ["abcdef", "badcef", true],
    ["abcdef", "badcfe", false],
    // a swap needs both characters
    ["abcd", "abdd", true],
    ["abcd", "abda", false],
    ["abcd", "abac", false],
    ["abcd", "cbad", false],
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
