// Pictures of pages, compared with those in the repository. They are half as large as the page, so that they stay small.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { comparePictures, HAS_FONTS, MAX_DIFFERENCE } from "../../packages/console/scenes/pictures.ts";
import type { CheckContext, CheckResult } from "./check.ts";
import { type Look, openLook, openPage, PAGES, type PageName } from "./looks.ts";

const PICTURES = join(import.meta.dirname, "pictures");
const DESKTOP = { size: "wide", theme: "light", scale: 0.5 } as const satisfies Look;
const PHONE = { size: "narrow", theme: "dark", scale: 1 } as const satisfies Look;

const SHOTS: readonly { readonly page: PageName; readonly look: Look }[] = [
  ...(["landing", "guide", "gateway", "reason", "catalogue", "check", "playground", "search"] as const).map((page) => ({
    page,
    look: DESKTOP,
  })),
  { page: "landing", look: PHONE },
];

/** Compares the pictures, or renews them. */
export async function checkPictures({ address, openBrowser, updates }: CheckContext): Promise<CheckResult> {
  if (!HAS_FONTS) return { figures: "left out: the fonts of the pictures are not installed", problems: [] };
  const browser = await openBrowser();
  const problems: string[] = [];
  let bytes = 0;
  for (const { page, look } of SHOTS) {
    const picture = await takePicture(browser, look, `${address}${PAGES[page]}`);
    bytes += picture.length;
    const name = `${page}-${look.size}-${look.theme}.png`;
    const problem = await comparePicture(browser, { name, picture, updates });
    if (problem !== undefined) problems.push(problem);
  }
  return { figures: `${SHOTS.length} pictures, ${Math.round(bytes / 1_000)} kB`, problems };
}

async function takePicture(browser: Browser, look: Look, url: string): Promise<Buffer> {
  const context = await openLook(browser, look);
  try {
    const { page } = await openPage(context, url);
    return await page.screenshot({ animations: "disabled" });
  } finally {
    await context.close();
  }
}

interface Shot {
  readonly name: string;
  readonly picture: Buffer;
  readonly updates: boolean;
}

async function comparePicture(browser: Browser, { name, picture, updates }: Shot): Promise<string | undefined> {
  const file = join(PICTURES, name);
  if (updates) {
    mkdirSync(PICTURES, { recursive: true });
    writeFileSync(file, picture);
    return undefined;
  }
  if (!existsSync(file)) return `${name} does not exist: run with --update, and look at it`;
  const context = await browser.newContext();
  try {
    const difference = await comparePictures(context, readFileSync(file), picture);
    if (difference <= MAX_DIFFERENCE) return undefined;
    const now = join(tmpdir(), `recourse-site-${name}`);
    writeFileSync(now, picture);
    return `${name}: ${(difference * 100).toFixed(2)} % of the pixels differ; the new picture is ${now}`;
  } finally {
    await context.close();
  }
}
