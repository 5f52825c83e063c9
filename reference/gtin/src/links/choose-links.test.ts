import fc from "fast-check";
import { expect, test } from "vitest";
import { chooseLinks, type Link, type LinkQuery, parseAcceptLanguage } from "./choose-links.ts";

const link = (name: string, linkType: string, languages: readonly string[], isDefault = false): Link => ({
  linkType,
  href: `https://example.com/${name}`,
  title: name,
  languages,
  isDefault,
  forwardsQuery: true,
});
const LINKS = [
  link("page", "gs1:pip", ["en"], true),
  link("seite", "gs1:pip", ["de-CH", "de"]),
  link("manual", "gs1:instructions", ["en"]),
  link("pictures", "gs1:instructions", []),
  link("stove", "gs1:recipeInfo", ["en"]),
  link("oven", "gs1:recipeInfo", ["fr"]),
];

test.each<[LinkQuery, readonly string[]]>([
  [{}, ["page"]],
  [{ languages: ["de"] }, ["page"]],
  [{ linkType: "gs1:defaultLink" }, ["page"]],
  [{ linkType: "gs1:pip", languages: ["de-AT"] }, ["seite"]],
  [{ linkType: "gs1:pip", languages: ["it", "EN"] }, ["page"]],
  [{ linkType: "gs1:pip" }, ["page", "seite"]],
  [{ linkType: "https://ref.gs1.org/voc/instructions" }, ["pictures"]],
  [{ linkType: "gs1:instructions", languages: ["fr"] }, ["pictures"]],
  [{ linkType: "gs1:recipeInfo", languages: ["it"] }, ["stove", "oven"]],
])("%j leads to %j", (wish, names) => {
  const choice = chooseLinks(LINKS, wish);
  expect("links" in choice && choice.links.map(({ title }) => title)).toEqual(names);
});

test("where there is no link, the reason", () => {
  expect(chooseLinks(LINKS, { linkType: "gs1:epil" })).toEqual({
    none: "link_type",
    available: ["gs1:pip", "gs1:instructions", "gs1:recipeInfo"],
  });
  expect(chooseLinks(LINKS.slice(1), {})).toMatchObject({ none: "default" });
  expect(chooseLinks([], { linkType: "toString" })).toEqual({ none: "link_type", available: [] });
});

test.each([
  [null, []],
  ["", []],
  ["de", ["de"]],
  ["fr;q=0.2, de-AT, en;q=0.8", ["de-AT", "en", "fr"]],
  ["*, de;q=0", []],
  ["de;q=x, en", ["en"]],
  ["<script>, en", ["en"]],
  [`en${",de".repeat(1_000)}`, []],
])("%j: %j", (header, languages) => {
  expect(parseAcceptLanguage(header)).toEqual(languages);
});

test("any header gives valid tags only", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 600 }), (header) => {
      for (const tag of parseAcceptLanguage(header)) expect(tag).toMatch(/^[A-Za-z0-9-]+$/);
    }),
  );
});
