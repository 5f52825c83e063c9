// The pages that are looked at in a browser, and how.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { openStillContext } from "../../packages/console/scenes/context.ts";

/** Widths of a window. */
export const SIZES = { wide: { width: 1_440, height: 900 }, narrow: { width: 360, height: 800 } } as const;
/** A width. */
export type Size = keyof typeof SIZES;
/** The themes. */
export const THEMES = ["light", "dark"] as const;
/** A theme. */
type Theme = (typeof THEMES)[number];

/** One page of each sort. */
export const PAGES = {
  landing: "/",
  guide: "/guide/guard-a-server/",
  gateway: "/gateway/breakers/",
  reason: "/errors/transport/breaker_open/",
  catalogue: "/errors/",
  check: "/checks/leak-stack/",
  cause: "/causes/d10/",
  playground: "/playground/",
  search: "/search/?q=breaker_open",
  compare: "/compare/",
  reference: "/reference/api/faults/server/",
  unknown: "/no/such/page/",
} as const;
/** The name of such a page. */
export type PageName = keyof typeof PAGES;

/** Where a page is opened. */
export interface Look {
  readonly size: Size;
  readonly theme: Theme;
  /** Pixels of a picture for each pixel of the page. @default 1 */
  readonly scale?: number;
}

/** A context with a width and a theme, in which nothing moves. */
export async function openLook(browser: Browser, { size, theme, scale = 1 }: Look): Promise<BrowserContext> {
  return openStillContext(browser, { viewport: SIZES[size], theme, scale, hasTouch: size === "narrow" });
}

/** An open page. */
export interface OpenPage {
  readonly page: Page;
  /** The status of the answer. */
  readonly status: number;
  /** Exceptions and messages of the console, which reports of the policy are too. */
  readonly wrong: readonly string[];
}

/** Opens an address and waits until nothing is loaded any more. */
export async function openPage(context: BrowserContext, url: string): Promise<OpenPage> {
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(`exception: ${error.message}`));
  page.on("console", (message) => {
    // The browser itself writes a line for a page with status 404.
    if (message.location().url === url && message.text().includes("404")) return;
    wrong.push(`${message.type()}: ${message.text()}`);
  });
  const reply = await page.goto(url, { waitUntil: "networkidle" });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  return { page, status: reply?.status() ?? 0, wrong };
}
