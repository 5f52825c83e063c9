// Every page and state, in Chromium: its picture, its accessibility, its layout, and that nothing went wrong. By day some scenes
// are looked at, in one width and theme; at night all, in all four. `npm run scenes -- --update` renews the pictures.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHROMIUM, IN_CHROMIUM, startChromium } from "@recourse/test-kit/chromium";
import { isNightly } from "@recourse/test-kit/runs";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findAxeProblems } from "../scenes/axe.ts";
import { comparePictures, HAS_FONTS, MAX_DIFFERENCE } from "../scenes/pictures.ts";
import { SCENES } from "../scenes/scenes.ts";
import {
  openStage,
  SIZES,
  type Size,
  type Stage,
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
/** A page of each sort, a dialog, and a part that is down. */
const BY_DAY = new Set([
  ...["now", "now-away", "now-reset", "incident", "incidents"],
  ...["approvals", "approval", "upstream", "callers"],
]);
/** Each scene has one picture: the widths and themes in turn. */
const CASES = SCENES.flatMap((scene, index) => {
  const usual = LOOKS[index % LOOKS.length] as Look;
  const looks = isNightly ? LOOKS : [usual].filter(() => BY_DAY.has(scene.name));
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
  const stages = new Map<string, Promise<Stage>>();
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
    if (hasPicture && HAS_FONTS) await expectPicture(stage, scene.name);
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
  });
});

/** The page looks as it is kept, soon: on a busy machine some of it is drawn late. */
async function expectPicture({ page, context }: Stage, name: string): Promise<void> {
  const file = join(PICTURES, `${name}.png`);
  const take = () => takePicture(page, { maxHeight: MAX_HEIGHT });
  if (UPDATES) {
    mkdirSync(PICTURES, { recursive: true });
    writeFileSync(file, await take());
  }
  const kept = existsSync(file) ? readFileSync(file) : Buffer.alloc(0);
  let picture: Buffer = kept;
  const findDifference = async () => {
    picture = await take();
    return kept.length === 0 ? 1 : comparePictures(context, kept, picture);
  };
  const message = `${name}: the new picture is in the folder for temporary files`;
  try {
    await expect.poll(findDifference, { message }).toBeLessThanOrEqual(MAX_DIFFERENCE);
  } catch (error) {
    writeFileSync(join(tmpdir(), `recourse-scene-${name}.png`), picture);
    throw error;
  }
}
