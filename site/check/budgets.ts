// The budgets of the site: how long it is built, how much a page loads, how fast the search answers.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page, Request } from "playwright-core";
import { SITE_PATH } from "../content/address.ts";
import { FIGURES } from "../figures/index.ts";
import type { CheckContext, CheckResult } from "./check.ts";
import { openLook, PAGES, type PageName } from "./looks.ts";

const LOOK = { size: "wide", theme: "light" } as const;
const TEXT_PAGES: readonly PageName[] = ["guide", "gateway", "reason", "check", "cause"];
/** What counts: a page as a whole, and of the playground what reads an error. */
const PAGE_FILES: readonly string[] = ["document", "stylesheet", "script"];
const SCRIPTS: readonly string[] = ["script"];

/** What is searched, what must be found first, and how often the search is opened: the fastest counts. */
const SEARCHED = {
  text: "breaker_open",
  address: `${SITE_PATH}/errors/transport/breaker_open/`,
  times: 3,
} as const;

/** A figure and its limit, in bytes or milliseconds. */
export interface Measured {
  readonly name: string;
  readonly value: number;
  readonly limit: number;
  readonly unit: "kB" | "ms" | "s";
}

const DIVISORS = { kB: 1_000, ms: 1, s: 1_000 } as const;

/** A figure as text, such as `landing 32.1 of 40 kB`. */
export function sayMeasured({ name, value, limit, unit }: Measured): string {
  const say = (number: number) => String(Math.round((number / DIVISORS[unit]) * 10) / 10);
  return `${name} ${say(value)} of ${say(limit)} ${unit}`;
}

/** Bytes of body that the browser gets for files of some types, as they come over the wire. */
async function countBytes(page: Page, types: readonly string[], act: () => Promise<unknown>): Promise<number> {
  const finished: Request[] = [];
  const remember = (request: Request) => finished.push(request);
  page.on("requestfinished", remember);
  await act();
  page.off("requestfinished", remember);
  const loaded = finished.filter((request) => types.includes(request.resourceType()));
  const sizes = await Promise.all(loaded.map((request) => request.sizes()));
  return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
}

async function withPage<Result>(browser: Browser, use: (page: Page) => Promise<Result>): Promise<Result> {
  const context = await openLook(browser, LOOK);
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}

function measurePage(browser: Browser, url: string): Promise<number> {
  return withPage(browser, (page) => countBytes(page, PAGE_FILES, () => page.goto(url, { waitUntil: "networkidle" })));
}

function measurePlayground(browser: Browser, url: string, types: readonly string[]): Promise<number> {
  return withPage(browser, (page) =>
    countBytes(page, types, async () => {
      await page.goto(url, { waitUntil: "networkidle" });
      await page.fill("recourse-playground textarea", "MCP error -32001: Request timed out");
      await page.waitForSelector(".reading h2");
    }),
  );
}

/** What the search showed first. */
interface FirstResult {
  readonly ms: number;
  readonly address: string;
}

/** How long after the key that opens the dialog the first result is there, and what it is. */
function measureSearch(browser: Browser, url: string): Promise<FirstResult> {
  return withPage(browser, async (page) => {
    await page.goto(url, { waitUntil: "networkidle" });
    await page.evaluate(watchSearch);
    await page.keyboard.press("/");
    await page.keyboard.insertText(SEARCHED.text);
    const result = await page.waitForFunction(() => (window as { firstResult?: FirstResult }).firstResult);
    return (await result.jsonValue()) as FirstResult;
  });
}

/** Notes the time of the first key and of the first result, in the page. */
function watchSearch(): void {
  let pressedAt: number | undefined;
  addEventListener("keydown", () => (pressedAt ??= performance.now()), { capture: true });
  const observer = new MutationObserver(() => {
    const link = document.querySelector<HTMLAnchorElement>(".search-dialog .search-results a");
    if (link === null || pressedAt === undefined) return;
    observer.disconnect();
    Object.assign(window, { firstResult: { ms: performance.now() - pressedAt, address: link.pathname } });
  });
  observer.observe(document.body, { subtree: true, childList: true });
}

/** Measures everything. */
export async function checkBudgets(context: CheckContext): Promise<CheckResult> {
  const { folder, address, buildMs, slack, openBrowser } = context;
  const browser = await openBrowser();
  const measured: Measured[] = [];
  if (buildMs !== undefined) measured.push({ name: "build", value: buildMs, limit: 90_000 * slack, unit: "s" });
  for (const name of TEXT_PAGES)
    measured.push({ name, value: await measurePage(browser, `${address}${PAGES[name]}`), limit: 45_000, unit: "kB" });
  const landing = await measurePage(browser, `${address}${PAGES.landing}`);
  const reader = await measurePlayground(browser, `${address}${PAGES.playground}`, SCRIPTS);
  const playground = await measurePlayground(browser, `${address}${PAGES.playground}`, PAGE_FILES);
  const figures = FIGURES.flatMap((figure) =>
    (["wide", "narrow"] as const).map((layout) => gzipSync(figure.draw(layout)).length),
  );
  const index = gzipSync(readFileSync(join(folder, "exact.json"))).length;
  measured.push(
    { name: "landing", value: landing, limit: 40_000, unit: "kB" },
    { name: "scripts of the playground until the first reading", value: reader, limit: 160_000, unit: "kB" },
    { name: "largest figure", value: Math.max(...figures), limit: 6_000, unit: "kB" },
    { name: "exact index", value: index, limit: 12_000, unit: "kB" },
  );
  const searches = [];
  for (let count = 0; count < SEARCHED.times; count += 1)
    searches.push(await measureSearch(browser, `${address}${PAGES.guide}`));
  measured.push({
    name: "first result of the search",
    value: Math.min(...searches.map(({ ms }) => ms)),
    limit: 300 * slack,
    unit: "ms",
  });
  const others = searches.filter(({ address }) => address !== SEARCHED.address);
  return {
    figures: [
      ...measured.map(sayMeasured),
      `playground with its page and styles ${Math.round(playground / 1_000)} kB`,
    ].join("; "),
    problems: [
      ...measured.filter(({ value, limit }) => value > limit).map((one) => `over its budget: ${sayMeasured(one)}`),
      ...others.map(({ address }) => `${SEARCHED.text} finds ${address} first`),
    ],
  };
}
