// Writes the pages of the site for Starlight, from the Markdown of the repository.
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { LinkOptions } from "../content/links.ts";
import { makePage, renderForStarlight, type SitePage } from "../content/page.ts";
import { addReasonExtras } from "../content/reason-extras.ts";
import { ROOT, readSources } from "../content/sources.ts";
import { copySchemas, makeReference } from "./reference.ts";

/** The folder that Starlight reads. */
const PAGES = join(import.meta.dirname, "../.pages");

/** Pages that are not made from Markdown alone, but by a page of Astro at the same address. */
const MADE_BY_ASTRO: readonly string[] = ["/errors/"];

/** Writes all pages, and returns them. */
export function writePages(options: LinkOptions): readonly SitePage[] {
  const pages = [...readSources().map((source) => makePage(source, options)), ...makeReference(options)];
  rmSync(PAGES, { recursive: true, force: true });
  for (const page of pages) {
    const { address } = page.source;
    if (MADE_BY_ASTRO.includes(address)) continue;
    const file = join(PAGES, `${address.slice(1, -1)}.md`);
    mkdirSync(dirname(file), { recursive: true });
    const body = addReasonExtras(page.source.file, page.body);
    writeFileSync(file, renderForStarlight({ ...page, body }, options));
  }
  cpSync(join(ROOT, "docs/pictures"), join(import.meta.dirname, "../public/pictures"), {
    recursive: true,
    filter: (path) => !path.endsWith(".txt"),
  });
  copySchemas();
  return pages;
}

if (import.meta.main) console.log(`${writePages({ revision: "main" }).length} pages`);
