// Draws the pictures for previews with Chromium. They are kept by what they show, so that a second build draws only new ones.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CHROMIUM, startChromium } from "@recourse/test-kit/chromium";
import type { SitePage } from "../content/page.ts";
import { describePicture, drawSharePicture, SHARE_SIZE } from "./share-picture.ts";

const CACHE = join(import.meta.dirname, "../.reference/share");

/** A picture that a page of the site shows in previews. */
export interface PlannedPicture {
  /** From the folder of the site: `share/gateway/breakers.png`. */
  readonly file: string;
  readonly svg: string;
}

/** The pictures of all pages that have one of their own. Without Chromium there are none, and pages use `og.png`. */
export function planPictures(pages: readonly SitePage[]): readonly PlannedPicture[] {
  if (CHROMIUM === undefined) return [];
  return pages.flatMap((page) => {
    const picture = describePicture(page);
    return picture === undefined
      ? []
      : [{ file: `share${page.source.address.slice(0, -1)}.png`, svg: drawSharePicture(picture) }];
  });
}

const findKept = (svg: string) => join(CACHE, `${createHash("sha256").update(svg).digest("hex").slice(0, 24)}.png`);

/** Draws what is not kept from an earlier build. */
export async function drawPictures(pictures: readonly PlannedPicture[]): Promise<void> {
  const missing = pictures.filter(({ svg }) => !existsSync(findKept(svg)));
  if (missing.length === 0) return;
  mkdirSync(CACHE, { recursive: true });
  const browser = await startChromium();
  try {
    const page = await browser.newPage({ viewport: SHARE_SIZE });
    for (const { svg } of missing) {
      await page.setContent(`<!doctype html><style>body{margin:0}</style>${svg}`);
      writeFileSync(findKept(svg), await page.screenshot({ type: "png" }));
    }
  } finally {
    await browser.close();
  }
}

/** Copies drawn pictures into the folder of a built site. */
export function copyPictures(pictures: readonly PlannedPicture[], folder: string): void {
  for (const { file, svg } of pictures) {
    const path = join(folder, file);
    mkdirSync(dirname(path), { recursive: true });
    copyFileSync(findKept(svg), path);
  }
}
