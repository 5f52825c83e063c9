import { expect, test } from "vitest";
import { makePage } from "../content/page.ts";
import { makeFiles } from "./write-files.ts";

const options = { revision: "main", base: "/", version: "0.1.0" };
const text = "# Breakers\n\nSee [limits](limits.md).\n";
const pages = [makePage({ file: "docs/gateway/breakers.md", address: "/gateway/breakers/", text }, options)];

test("each page is there as Markdown, each redirect as a page", () => {
  const files = makeFiles(pages, options);
  expect(files.get("gateway/breakers.md")).toBe(
    "# Breakers\n\nSee [limits](https://recourse-mcp.github.io/recourse/gateway/limits/).\n",
  );
  expect(files.get("cli/causes/index.html")).toContain('href="../../causes/"');
});

test("files for the host are at the root only", () => {
  const hosts = ["robots.txt", "_headers", "nginx.conf", "versions.json"];
  const [root, older] = [makeFiles(pages, options), makeFiles(pages, { ...options, base: "/v0.1/" })];
  expect(hosts.filter((file) => !root.has(file))).toEqual([]);
  expect(hosts.filter((file) => older.has(file))).toEqual([]);
  expect(older.has("llms.txt")).toBe(true);
});
