import type { Browser, BrowserContext } from "playwright-core";

/** How long a page is waited for: less than the limit of a test, so that what was waited for is named. */
export const WAIT_MS = 50_000;

/** What a page is shown in. */
interface ContextOptions {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly theme: "light" | "dark";
  /** Pixels of the picture for each pixel of the page. */
  readonly scale: number;
  readonly hasTouch: boolean;
}

/** A context in which nothing moves and no setting of the machine shows, so that pictures of a page stay the same. */
export function openStillContext(
  browser: Browser,
  { viewport, theme, scale, hasTouch }: ContextOptions,
): Promise<BrowserContext> {
  return browser.newContext({
    viewport,
    deviceScaleFactor: scale,
    colorScheme: theme,
    reducedMotion: "reduce",
    timezoneId: "UTC",
    locale: "en-GB",
    hasTouch,
  });
}
