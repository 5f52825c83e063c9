import { expect, test } from "vitest";
import { makePage } from "../content/page.ts";
import { readSources } from "../content/sources.ts";
import { MAX_FULL_BYTES, renderLlmsFull, renderLlmsMap } from "./llms.ts";

const options = { revision: "main", base: "/" };
const pages = readSources().map((source) => makePage(source, options));

test("the map names every page of the navigation with its Markdown", () => {
  const map = renderLlmsMap(pages, options);
  expect(map).toContain("](https://recourse-mcp.github.io/recourse/gateway/breakers.md): ");
  expect(map).toContain("](https://recourse-mcp.github.io/recourse/errors/core/timeout.md): ");
  expect(map.split("\n").filter((line) => line.startsWith("- [")).length).toBeGreaterThan(350);
});

test("the full text holds guides, gateway and catalogue, and says its size", () => {
  const full = renderLlmsFull(pages, options);
  expect(full).toContain("<!-- https://recourse-mcp.github.io/recourse/guide/start/ -->");
  expect(full).toContain("<!-- https://recourse-mcp.github.io/recourse/errors/by-kind/ -->");
  const [, said] = /(\d+) kB/.exec(full) ?? [];
  expect(Math.abs(Number(said) - Buffer.byteLength(full) / 1000)).toBeLessThan(2);
  expect(Buffer.byteLength(full)).toBeLessThan(MAX_FULL_BYTES);
});
