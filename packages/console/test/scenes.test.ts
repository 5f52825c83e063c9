// Every page and state, in Chromium: its picture, its accessibility, its layout, and that nothing went wrong. By day each scene
// is looked at once, in one width and theme; at night in all four. `npm run scenes -- --update` renews the pictures.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHROMIUM, IN_CHROMIUM, startChromium } from "@recourse/test-kit/chromium";
import { isNightly } from "@recourse/test-kit/runs";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findAxeProblems } from "../scenes/axe.ts";
import { comparePictures, HAS_FONTS, MAX_DIFFERENCE } from "../scenes/pictures.ts";
import { SCENES } from "../scenes/scenes.ts";
import {
  openStage,
  SIZES,
  type Size,
  serveConsole,
  showScene,
  THEMES,
  type Theme,
  takePicture,
} from "../scenes/stage.ts";

const PICTURES = join(import.meta.dirname, "../scenes/pictures");
const UPDATES = process.env["RECOURSE_UPDATE_PICTURES"] === "1";
const MAX_ELEMENTS = 2_500;
/** Pictures are kept in the repository, and are small: what is below is like what is above. */
const MAX_HEIGHT = 900;

interface Look {
  readonly size: Size;
  readonly theme: Theme;
}

const LOOKS: readonly Look[] = (Object.keys(SIZES) as Size[]).flatMap((size) =>
  THEMES.map((theme) => ({ size, theme })),
);
/** Each scene has one picture: the widths and themes in turn. */
const CASES = SCENES.flatMap((scene, index) => {
  const usual = LOOKS[index % LOOKS.length] as Look;
  const looks = isNightly ? LOOKS : [usual];
  return looks.map((look) => ({
    scene,
    ...look,
    hasPicture: look === usual,
    name: `${scene.name}, ${look.size}, ${look.theme}`,
  }));
});

describe.skipIf(CHROMIUM === undefined)(`scenes${IN_CHROMIUM}`, () => {
  let browser: Browser;
  let site: Awaited<ReturnType<typeof serveConsole>>;
  const stages = new Map<string, Promise<BrowserContext>>();
  beforeAll(async () => {
    browser = await startChromium();
    site = await serveConsole();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });
  const stageOf = ({ size, theme }: Look) => {
    const key = `${size} ${theme}`;
    const stage = stages.get(key) ?? openStage(browser, size, theme);
    stages.set(key, stage);
    return stage;
  };

  test.each(CASES)("$name", async ({ scene, size, theme, hasPicture }) => {
    const stage = await stageOf({ size, theme });
    const { page, wrong } = await showScene(stage, site.origin, scene);
    try {
      const picture = hasPicture && HAS_FONTS ? await takePicture(page, { maxHeight: MAX_HEIGHT }) : undefined;
      const violations = scene.isCovered
        ? [
            ...(await findAxeProblems(page, { without: ["target-size"] })),
            ...(await findAxeProblems(page, { within: ".top", only: ["target-size"] })),
          ]
        : await findAxeProblems(page);
      const layout = await page.evaluate(() => ({
        overflow: Math.max(0, document.documentElement.scrollWidth - innerWidth),
        headings: document.querySelectorAll("h1").length,
        elements: document.querySelectorAll("*").length,
      }));
      expect(wrong).toEqual([]);
      expect(violations).toEqual([]);
      expect(layout).toMatchObject({ overflow: 0, headings: 1 });
      expect(layout.elements).toBeLessThan(MAX_ELEMENTS);
      if (picture !== undefined)
        await checkPicture(await stageOf({ size: "desktop", theme: "light" }), scene.name, picture);
    } finally {
      await page.close();
    }
  });
});

async function checkPicture(context: BrowserContext, name: string, picture: Buffer): Promise<void> {
  const file = join(PICTURES, `${name}.png`);
  if (UPDATES) {
    mkdirSync(PICTURES, { recursive: true });
    writeFileSync(file, picture);
  }
  const difference = existsSync(file) ? await comparePictures(context, readFileSync(file), picture) : 1;
  if (difference > MAX_DIFFERENCE) writeFileSync(join(tmpdir(), `recourse-scene-${name}.png`), picture);
  expect(difference, `${name}: the new picture is in the folder for temporary files`).toBeLessThanOrEqual(
    MAX_DIFFERENCE,
  );
}
