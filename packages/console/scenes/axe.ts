// Looks for barriers in a page with axe.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

let source: string | undefined;

/** What is looked at. */
export interface AxeOptions {
  /** A selector. @default the whole page */
  readonly within?: string;
  /** Rules by name. @default all of WCAG 2.2 AA, and best practice */
  readonly only?: readonly string[];
  /** Rules that are left out. @default none */
  readonly without?: readonly string[];
}

interface Axe {
  run(
    target: Document | string,
    options: object,
  ): Promise<{
    readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly target: unknown }[] }[];
  }>;
}

/** What axe finds in a page: one line for each rule, with the elements. A policy of the page does not keep axe out. */
export async function findAxeProblems(
  page: Page,
  { within, only, without = [] }: AxeOptions = {},
): Promise<readonly string[]> {
  source ??= readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  await page.evaluate(source);
  const options = {
    runOnly: only === undefined ? TAGS : { type: "rule", values: only },
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    // What is right is not listed.
    resultTypes: ["violations"],
  };
  return page.evaluate(
    async ([selector, asked]) => {
      const { axe } = window as unknown as { readonly axe: Axe };
      const { violations } = await axe.run(selector ?? document, asked);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target)).join(" ")}`);
    },
    [within, options] as const,
  );
}
