import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { CALL_STEPS } from "../../packages/gateway/src/call/call.ts";
import { loadConfig } from "../../packages/gateway/src/config/load.ts";
import { LEASE_MS } from "../../packages/stores/src/redis/limits/tokens.ts";
import { renderFigure, WIDTHS } from "./figure.ts";
import { readTokens, renderFile, THEMES } from "./file.ts";
import { FIGURES } from "./index.ts";

const LAYOUTS = ["wide", "narrow"] as const;
const MAX_GZIPPED = 6_000;
const MIN_TEXT = 12;

/** Fails unless tags are closed in order, attributes are quoted, and names of a tag differ. */
function expectWellFormed(xml: string): void {
  const open: string[] = [];
  const tags = /<(\/?)([a-z]+)((?: [\w:-]+="[^"<]*")*)(\/?)>/gi;
  for (const [tag, closes, name = "", attributes = "", isEmpty] of xml.matchAll(tags)) {
    const names = [...attributes.matchAll(/ ([\w:-]+)=/g)].map(([, one]) => one);
    expect(new Set(names).size, tag).toBe(names.length);
    if (closes) expect(open.pop()).toBe(name);
    else if (!isEmpty) open.push(name);
  }
  expect(open).toEqual([]);
  const rest = xml.replaceAll(tags, "");
  expect(rest).not.toMatch(/[<>]/);
  expect(xml).not.toMatch(/&(?!(?:amp|lt|gt|quot);)/);
}

function find(name: string) {
  const figure = FIGURES.find((one) => one.name === name);
  if (figure === undefined) throw new Error(name);
  return figure;
}

it("there are eight figures, each with a name of its own", () => {
  expect(new Set(FIGURES.map(({ name }) => name)).size).toBe(8);
});

describe.each(FIGURES.map((figure) => [figure.name, figure] as const))("%s", (name, figure) => {
  it("has a title, a description, a caption and the same as a list", () => {
    for (const text of [figure.title, figure.description, figure.caption]) expect(text.length).toBeGreaterThan(10);
    expect(figure.items.length).toBeGreaterThan(2);
    for (const item of figure.items) expect(item).toMatch(/^[^`*=]{20,}[.]$/);
  });

  it.each(LAYOUTS)("is small, well-formed and readable when it is %s", (layout) => {
    const svg = figure.draw(layout);
    expectWellFormed(svg);
    expect(gzipSync(svg).length).toBeLessThan(MAX_GZIPPED);
    expect(svg).toContain(`viewBox="0 0 ${WIDTHS[layout]} `);
    expect(svg).not.toMatch(/<image|data:|<style| style=/);
    const sizes = [...svg.matchAll(/font-size="([\d.]+)"/g)].map(([, size]) => Number(size));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(MIN_TEXT);
    const [, title, description] = /aria-labelledby="(\S+) (\S+)"/.exec(svg) ?? [];
    expect(svg).toContain(`<title id="${title}">`);
    expect(svg).toContain(`<desc id="${description}">`);
  });

  it("uses colours that the console has, and no others", () => {
    for (const layout of LAYOUTS) {
      const svg = figure.draw(layout);
      expect(svg).not.toMatch(/#[0-9a-f]{3,8}\b|rgb\(/i);
      for (const theme of THEMES) {
        const tokens = readTokens(theme);
        for (const [, token = ""] of svg.matchAll(/var\(--([\w-]+)\)/g)) expect(tokens.has(token), token).toBe(true);
      }
    }
  });

  it("is shown in a page with both layouts, and has no id twice", () => {
    const html = renderFigure(figure);
    expectWellFormed(html);
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(4);
    expect(new Set(ids).size).toBe(4);
    for (const part of ["figure-wide", "figure-narrow", "sr-only"]) expect(html).toContain(`class="${part}"`);
    expect(html.match(/<li>/g)).toHaveLength(figure.items.length);
  });

  it.each(THEMES)("is a file of its own on %s pages", (theme) => {
    const file = renderFile(figure, theme);
    expectWellFormed(file);
    expect(file).not.toContain("var(");
    expect(file).toContain(`fill="${readTokens(theme).get("surface")}"`);
    expect(file).toContain(`color="${readTokens(theme).get("text")}"`);
    expect(gzipSync(file).length).toBeLessThan(MAX_GZIPPED);
    expect(name).toMatch(/^[a-z-]+$/);
  });
});

describe("what the figures say", () => {
  it("is the sentence of the README", () => {
    const readme = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");
    const [, sentence = ""] =
      /^\| `\{ order: 8 \}` \|.*\| (The tool "cancel_order" reported[^|]+?) \|$/m.exec(readme) ?? [];
    expect(find("three-readers").items).toContain(`The model reads: ${sentence}`);
  });

  it("names the steps of the gateway in their order", () => {
    const steps = find("call-path").items.flatMap((item) => /^\d+\. (\w+):/.exec(item)?.[1] ?? []);
    expect(steps).toEqual([...CALL_STEPS]);
  });

  it("has the defaults of the gateway", () => {
    const file = 'store: memory\nauthentication: none\nupstreams: { shop: { url: "http://127.0.0.1:9/mcp" } }';
    const loaded = loadConfig(file, { environment: {} });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    const { breaker, keyCacheMs } = loaded.config;
    expect(find("breaker-states").items.join()).toContain(`${breaker?.failures} failures in a row: open`);
    expect(find("breaker-states").items.join()).toContain(`up to ${Number(breaker?.maxPauseMs) / 1_000} s`);
    expect(find("store-outage").items.join()).toContain(`After ${breaker?.failures} failures in a row`);
    expect(find("store-outage").items.join()).toContain(`database work for ${keyCacheMs / 1_000} s`);
    expect(find("leased-limits").items.join()).toContain(`missing for ${LEASE_MS} ms at most`);
  });
});
