// Shows a scene in Chromium: the built console, the answers of the scene, a fixed clock, and everything that went wrong.
import { loadConfig, startGateway } from "@recourse/gateway";
import type { Browser, BrowserContext, Page, Request } from "playwright-core";
import { withBuiltConsole } from "./built-console.ts";
import { openStillContext, WAIT_MS } from "./context.ts";
import { EVENING, type Scene, type SceneAnswer, SILENCE } from "./scenes.ts";
import { NOW } from "./world.ts";

/** The widths and themes that every scene is looked at in. */
export const SIZES = { desktop: { width: 1_440, height: 900 }, mobile: { width: 360, height: 740 } } as const;
export type Size = keyof typeof SIZES;
export const THEMES = ["light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** A scene on a page. */
export interface Shown {
  readonly page: Page;
  /** Exceptions, messages of the console, and reports of the policy. */
  readonly wrong: readonly string[];
}

/** Serves the console as it is now, by a gateway. Its API is never asked: scenes have answers of their own. */
export async function serveConsole(): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const loaded = loadConfig(SCENE_FILE, { environment: {} });
  if (!("config" in loaded)) throw new Error(JSON.stringify(loaded));
  const gateway = await withBuiltConsole((consoleFolder) => startGateway(loaded.config, { consoleFolder }));
  return { origin: String(gateway.adminUrl?.origin), close: () => gateway.close() };
}

const SCENE_FILE = `
listen: 127.0.0.1:0
store: memory
authentication: none
upstreams: { none: { url: "http://127.0.0.1:9/mcp" } }
admin: { listen: "127.0.0.1:0", console: true, keys: [{ id: nobody, sha256: "${"0".repeat(64)}" }] }
telemetry: { log: silent }
`;

/** A window in which scenes of one width and theme are shown one after the other: opening one for each costs more than showing it. */
export interface Stage {
  readonly context: BrowserContext;
  readonly page: Page;
  close(): Promise<void>;
}

/** Opens a window for scenes of one width and theme. */
export async function openStage(browser: Browser, size: Size, theme: Theme, scale = 1): Promise<Stage> {
  const context = await openStillContext(browser, {
    viewport: SIZES[size],
    theme,
    scale,
    hasTouch: size === "mobile",
  });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  await page.clock.setFixedTime(new Date(NOW));
  return { context, page, close: () => context.close() };
}

/** The picture of a scene: the page down to a height, or the window if a dialog is over it. */
export async function takePicture(
  page: Page,
  { maxHeight = Number.POSITIVE_INFINITY }: { readonly maxHeight?: number } = {},
): Promise<Buffer> {
  const fullPage = (await page.locator("dialog[open]").count()) === 0;
  const { clientWidth: width, scrollHeight } = await page.evaluate(() => {
    const { clientWidth, scrollHeight } = document.documentElement;
    return { clientWidth, scrollHeight };
  });
  const clip = { x: 0, y: 0, width, height: Math.min(scrollHeight, maxHeight) };
  return page.screenshot({ fullPage, animations: "disabled", ...(fullPage && { clip }) });
}

/** Shows a scene, complete and still, in place of the one before it. */
export async function showScene(stage: Stage, origin: string, scene: Scene): Promise<Shown> {
  const { page } = stage;
  await clearStage(stage);
  const wrong: string[] = [];
  page.on("pageerror", (error) => wrong.push(`exception: ${error.message}`));
  page.on("console", (message) => {
    // The browser itself writes a line for each answer with a status from 400 up.
    if (!/Failed to load resource/.test(message.text())) wrong.push(`${message.type()}: ${message.text()}`);
  });
  // What the page before said as it ended.
  page.once("framenavigated", () => wrong.splice(0));
  const requests = followRequests(page);
  let hasBegun = false;
  const begin = async () => {
    await settle(page, requests);
    hasBegun = true;
    if (scene.removed !== undefined) await page.route(scene.removed, (route) => route.fulfill({ status: 410 }));
  };
  await page.route("**/admin/v1/**", async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const method = route.request().method();
    const name = decodeURIComponent(pathname.replace(/^.*\/admin\/v1\//, ""));
    const path = method === "GET" ? name : `${method} ${name}`;
    const found = [...((hasBegun && scene.later) || []), ...(scene.answers ?? []), ...EVENING].find(
      ([pattern]) => pattern.test(path) || pattern.test(path + search),
    );
    if (found?.[1] === SILENCE) return void requests.underWay.delete(route.request());
    const answer: SceneAnswer = found?.[1] ?? { status: 404, problem: { detail: `no answer for ${path}` } };
    if ("problem" in answer && "status" in answer)
      return route.fulfill({
        status: answer.status as number,
        contentType: "application/problem+json",
        body: JSON.stringify(answer.problem),
      });
    return route.fulfill({ json: answer });
  });
  await page.goto(`${origin}/console/${scene.path}`);
  for (const step of scene.steps ?? []) {
    const target = page.locator(typeof step === "string" ? step : step.into).first();
    await target.waitFor();
    if (!hasBegun) await begin();
    await (typeof step === "string" ? target.click() : target.fill(step.text));
  }
  await page.waitForSelector(scene.ready);
  if (!scene.ready.startsWith(".bones"))
    await page.waitForFunction(() => document.querySelector(".bones.shown") === null);
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await settle(page, requests);
  return { page, wrong };
}

/** Leaves nothing of the scene before but its page, which the next one replaces. */
async function clearStage({ page }: Stage): Promise<void> {
  await page.unrouteAll({ behavior: "ignoreErrors" });
  for (const event of LISTENED) page.removeAllListeners(event);
  await page.mouse.move(0, 0);
}

const LISTENED = ["pageerror", "console", "request", "requestfinished", "requestfailed", "framenavigated"] as const;

/** The requests of a page. */
export interface Requests {
  readonly underWay: Set<Request>;
  /** How many there were. */
  count: number;
}

/** Counts the requests of a page from now on. */
export function followRequests(page: Page): Requests {
  const requests: Requests = { underWay: new Set(), count: 0 };
  page.on("request", (request) => {
    requests.underWay.add(request);
    requests.count += 1;
  });
  page.on("requestfinished", (request) => void requests.underWay.delete(request));
  page.on("requestfailed", (request) => void requests.underWay.delete(request));
  return requests;
}

/** Waits until all that was asked for is there and drawn, and nothing more was asked for meanwhile. */
export async function settle(page: Page, requests: Requests): Promise<void> {
  let seen: number;
  do {
    seen = requests.count;
    await page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      await new Promise((resolve) => requestIdleCallback(resolve));
    });
  } while (requests.count !== seen || requests.underWay.size > 0);
}
