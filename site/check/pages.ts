// Pages in Chromium, in two widths and two themes: accessibility, layout, messages, reports of the policy.
import { findAxeProblems } from "../../packages/console/scenes/axe.ts";
import type { CheckContext, CheckResult } from "./check.ts";
import {
  type Look,
  type OpenPage,
  openLook,
  openPage,
  PAGES,
  type PageName,
  SIZES,
  type Size,
  THEMES,
} from "./looks.ts";

const LOOKS: readonly Look[] = (Object.keys(SIZES) as Size[]).flatMap((size) =>
  THEMES.map((theme) => ({ size, theme })),
);

/** Looks at the pages. */
export async function checkPages({ address, openBrowser }: CheckContext): Promise<CheckResult> {
  const browser = await openBrowser();
  const problems: string[] = [];
  for (const look of LOOKS) {
    const context = await openLook(browser, look);
    for (const name of Object.keys(PAGES) as PageName[]) {
      const open = await openPage(context, `${address}${PAGES[name]}`);
      const found = await inspectPage(open, name === "unknown" ? 404 : 200);
      problems.push(...found.map((problem) => `${PAGES[name]} ${look.size} ${look.theme}: ${problem}`));
      await open.page.close();
    }
    await context.close();
  }
  return { figures: `${Object.keys(PAGES).length} pages in ${LOOKS.length} looks`, problems };
}

async function inspectPage({ page, status, wrong }: OpenPage, expected: number): Promise<readonly string[]> {
  if (status !== expected) return [`answers ${status}`];
  // The highlighter makes code that scrolls focusable when the browser is idle. If it does not, axe says so.
  await page.waitForFunction(isCodeFocusable, undefined, { timeout: 5_000 }).catch(() => undefined);
  const { overflow, headings } = await page.evaluate(() => ({
    overflow: document.documentElement.scrollWidth - innerWidth,
    headings: document.querySelectorAll("h1").length,
  }));
  return [
    ...(overflow > 0 ? [`scrolls sideways by ${overflow} px`] : []),
    ...(headings === 1 ? [] : [`has ${headings} h1`]),
    ...(await findAxeProblems(page)),
    ...wrong,
  ];
}

/** Whether all code that scrolls can be scrolled by keys, in the page. */
function isCodeFocusable(): boolean {
  return [...document.querySelectorAll("pre")].every((pre) => pre.scrollWidth <= pre.clientWidth || pre.tabIndex === 0);
}
