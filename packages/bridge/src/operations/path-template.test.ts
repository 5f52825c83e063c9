import { expect, it } from "vitest";
import { isDotSegment, parsePathTemplate, pathParameters } from "./path-template.ts";

it("splits a path", () => {
  expect(parsePathTemplate("/repos/{owner}/compare/{base}...{head}")).toEqual([
    [{ text: "repos" }],
    [{ parameter: "owner" }],
    [{ text: "compare" }],
    [{ parameter: "base" }, { text: "..." }, { parameter: "head" }],
  ]);
  expect(parsePathTemplate("/version/")).toEqual([[{ text: "version" }], []]);
  expect(parsePathTemplate("/")).toEqual([[]]);
});

it.each([
  "users",
  "//evil.example/x",
  "/a//b",
  "/../admin",
  "/a/./b",
  "/a/%2e%2E/b",
  "/a/.%2e;x/b",
  "/a\\b",
  "/a?b=c",
  "/a#b",
  "/a b",
  "/a\u0000",
  "/a%2Fb",
  "/a%5cb",
  "/a/{b",
  "/a/b}",
  "/a/{}",
  "/a\ud800",
  `/${"a".repeat(2_000)}`,
])("refuses %j", (path) => {
  expect(parsePathTemplate(path)).toBeUndefined();
});

it("lists the parameters", () => {
  expect(pathParameters(parsePathTemplate("/a/{b}/{c}x{b}") ?? [])).toEqual(new Set(["b", "c"]));
});

it("recognises segments that mean a directory", () => {
  for (const segment of [".", "..", "%2E", "%2e.", "..;", "..%3Bx"]) expect(isDotSegment(segment)).toBe(true);
  for (const segment of ["...", ".a", "a..", "", "..a", "%2e%2e%2e"]) expect(isDotSegment(segment)).toBe(false);
});
