// Runs the library for everything that pages of Astro show of it, and writes the results as JSON.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SitePage } from "../content/page.ts";
import { readSources } from "../content/sources.ts";
import { makeCatalogue } from "../data/catalogue.ts";
import { makeCodeBook } from "../data/codes.ts";
import { makeExactIndex } from "../data/exact-index.ts";
import { makeLanding } from "../data/landing.ts";
import { FIGURES, renderFigure } from "../figures/index.ts";
import type { PlannedPicture } from "./draw-share-pictures.ts";

const DATA = join(import.meta.dirname, "../.data");
const PUBLIC = join(import.meta.dirname, "../public");

/** Writes all data. */
export async function writeData(): Promise<void> {
  const files = {
    catalogue: makeCatalogue(),
    landing: await makeLanding(),
    // Completed by `writeHeadData`, once the pages are known.
    head: { markdown: [], pictures: [] },
    figures: Object.fromEntries(FIGURES.map((figure) => [figure.name, renderFigure(figure)])),
  };
  rmSync(DATA, { recursive: true, force: true });
  mkdirSync(DATA, { recursive: true });
  for (const [name, value] of Object.entries(files)) writeFileSync(join(DATA, `${name}.json`), JSON.stringify(value));
  writePublicData();
}

/** Writes the files that scripts of pages load. */
function writePublicData(): void {
  const configuration = readSources().find(({ address }) => address === "/gateway/configuration/");
  const files = { codes: makeCodeBook(), exact: makeExactIndex(configuration?.text ?? "") };
  for (const [name, value] of Object.entries(files)) writeFileSync(join(PUBLIC, `${name}.json`), JSON.stringify(value));
}

/** Writes what the heads of pages need to know: which have a picture for previews, and which are there as Markdown. */
export function writeHeadData(pages: readonly SitePage[], pictures: readonly PlannedPicture[]): void {
  const data = {
    markdown: pages.map(({ source }) => source.address),
    pictures: pictures.map(({ file }) => file),
  };
  writeFileSync(join(DATA, "head.json"), JSON.stringify(data));
}
