import { describe, expect, test } from "vitest";
import { findDeadLinks, REPOSITORY, rewriteLink, toRelative } from "./links.ts";
import { readSources, type SourcePage } from "./sources.ts";

const page: SourcePage = { file: "docs/gateway/breakers.md", address: "/gateway/breakers/", text: "" };
const rewrite = (link: string) => rewriteLink(page, link, { revision: "v0.1.0" });

test("no link of any page is dead", () => {
  const pages = readSources();
  expect(pages.length).toBeGreaterThan(300);
  expect(findDeadLinks(pages)).toEqual([]);
});

describe("a link to", () => {
  test.each([
    ["a page beside it", "limits.md", "../limits/"],
    ["a heading of a page", "limits.md#leases", "../limits/#leases"],
    ["a page of another folder", "../guide/start.md", "../../guide/start/"],
    ["the page of a folder", "README.md", "../"],
    ["a heading of the same page", "#what-callers-get", "#what-callers-get"],
    ["the README of the repository", "../../README.md", "../../"],
    ["a file that is a page elsewhere", "../../SECURITY.md", "../../security/"],
    ["a picture", "../pictures/console-now-light.png", "../../pictures/console-now-light.png"],
    [
      "a file of the repository",
      "../../packages/faults/schema/fault.json",
      `${REPOSITORY}/blob/v0.1.0/packages/faults/schema/fault.json`,
    ],
    ["the repository's host", `${REPOSITORY}/blob/main/docs/guide/start.md`, "../../guide/start/"],
    ["another site", "https://modelcontextprotocol.io", "https://modelcontextprotocol.io"],
  ])("%s", (_, link, target) => {
    expect(rewrite(link)).toBe(target);
  });
});

test.each([
  ["See [this](nowhere.md).", "nowhere.md"],
  ["See [this](limits.md#no-such-heading).", "limits.md#no-such-heading"],
  ["See [`code`](nowhere.md).", "nowhere.md"],
])("a dead link is found: %s", (text, link) => {
  const others = readSources().filter(({ address }) => address !== page.address);
  expect(findDeadLinks([...others, { ...page, text }])).toEqual([{ file: page.file, link }]);
});

test("what looks like a link in code is none", () => {
  const text = "```md\n[this](nowhere.md)\n```\n";
  expect(findDeadLinks([{ ...page, text }])).toEqual([]);
});

test("addresses are relative, so that they work below any base", () => {
  expect(toRelative("/a/b/", "/a/b/")).toBe("./");
  expect(toRelative("/a/b/", "/a/")).toBe("../");
  expect(toRelative("/", "/a/b/")).toBe("a/b/");
});
