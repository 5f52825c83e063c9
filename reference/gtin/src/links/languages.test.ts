import fc from "fast-check";
import { expect, test } from "vitest";
import { languagesOf } from "./languages.ts";

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
  expect(languagesOf(header)).toEqual(languages);
});

test("any header gives tags and nothing else", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 600 }), (header) => {
      for (const tag of languagesOf(header)) expect(tag).toMatch(/^[A-Za-z0-9-]+$/);
    }),
  );
});
