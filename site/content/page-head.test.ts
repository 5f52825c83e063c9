import { expect, test } from "vitest";
import { completeHead, type HeadElement } from "./page-head.ts";

const made: readonly HeadElement[] = [
  { tag: "title", content: "Breakers" },
  { tag: "link", attrs: { rel: "canonical", href: "https://recourse-mcp.github.io/recourse/v0.1/gateway/breakers/" } },
];
const options = { address: "/gateway/breakers/", title: "Breakers", picture: "og.png", hasMarkdown: true };
const find = (head: readonly HeadElement[], name: string) =>
  head.filter(({ attrs }) => Object.values(attrs ?? {}).includes(name));

test("the canonical address of an older version is the newest page, and robots leave it out", () => {
  const head = completeHead(made, { ...options, base: "/v0.1/" });
  expect(find(head, "canonical").map(({ attrs }) => attrs?.["href"])).toEqual([
    "https://recourse-mcp.github.io/recourse/gateway/breakers/",
  ]);
  expect(find(head, "noindex")).toHaveLength(1);
  expect(find(head, "og:image")[0]?.attrs?.["content"]).toBe("https://recourse-mcp.github.io/recourse/v0.1/og.png");
});

test("the newest version is read by robots, and names its Markdown", () => {
  const head = completeHead(made, { ...options, base: "/" });
  expect(find(head, "noindex")).toEqual([]);
  expect(find(head, "text/markdown")[0]?.attrs?.["href"]).toBe(
    "https://recourse-mcp.github.io/recourse/gateway/breakers.md",
  );
  expect(find(completeHead(made, { ...options, base: "/", hasMarkdown: false }), "text/markdown")).toEqual([]);
});
