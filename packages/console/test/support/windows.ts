// The windows of the people at the console. One that a test is done with is given to the next: opening one costs more than most
// tests do in it.
import { startChromium } from "@recourse/test-kit/chromium";
import type { Browser, BrowserContext } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { WAIT_MS } from "../../scenes/context.ts";
import { SIZES, type Size } from "../../scenes/stage.ts";

/** Starts a browser for the tests of a block. Gives what opens windows in which nobody is signed in. */
export function shareWindows(): (size?: Size) => Promise<BrowserContext> {
  let browser: Browser;
  const free: Record<Size, BrowserContext[]> = { desktop: [], mobile: [] };
  beforeAll(async () => {
    browser = await startChromium();
  });
  afterAll(() => browser?.close());
  return async (size = "desktop") => {
    const context = free[size].pop() ?? (await openWindow(browser, size));
    onTestFinished(async ({ task }) => {
      if (task.result?.state === "fail") return context.close();
      await tidy(context);
      free[size].push(context);
    });
    return context;
  };
}

async function openWindow(browser: Browser, size: Size): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: SIZES[size],
    reducedMotion: "reduce",
    hasTouch: size === "mobile",
  });
  context.setDefaultTimeout(WAIT_MS);
  // Keys that belong together come at one time, however late a busy machine passes them on.
  await context.addInitScript(() => Object.defineProperty(Event.prototype, "timeStamp", { value: 0 }));
  return context;
}

/** Leaves one page, on which nobody is signed in. */
async function tidy(context: BrowserContext): Promise<void> {
  const [page, ...others] = context.pages();
  await Promise.all(others.map((other) => other.close()));
  await page?.unrouteAll({ behavior: "ignoreErrors" });
  await context.clearCookies();
}
