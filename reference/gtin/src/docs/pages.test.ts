import { expect, test } from "vitest";
import { gtin } from "../reasons.ts";
import { ERROR_CODES, errorPage, html } from "./pages.ts";

test("every error and every reason has a page, and the overview leads to each", () => {
  const overview = errorPage("");
  for (const path of [...ERROR_CODES.map(({ name }) => name), ...Object.values(gtin).map(({ id }) => id)]) {
    expect(overview).toContain(`href="/docs/errors/${path}"`);
    expect(errorPage(path), path).toContain("<h2>What to do</h2>");
  }
  expect(errorPage("core/timeout")).toContain("<h1>core/timeout</h1>");
});

test.each(["nothing", "gtin/nothing", "constructor", "../secrets"])("there is none at %s", (path) => {
  expect(errorPage(path)).toBeUndefined();
});

test("values in a page are escaped", () => {
  expect(html`<p>${"<script>\"'&"}</p>`).toBe("<p>&lt;script&gt;&quot;&#39;&amp;</p>");
});
