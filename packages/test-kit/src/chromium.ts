// Pages in a real browser, for what only browsers enforce.

import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { delimiter, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { listenOnLoopback } from "./loopback.ts";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];

/** Where Chromium is installed; undefined where it is not. */
export const CHROMIUM: string | undefined = (process.env["PATH"] ?? "")
  .split(delimiter)
  .flatMap((folder) => NAMES.map((name) => join(folder, name)))
  .find((file) => existsSync(file));

/** What the titles of tests end with where there is no browser for them. */
export const IN_CHROMIUM = CHROMIUM === undefined ? " (skipped: no chromium on the PATH)" : "";

/** As root there is no sandbox, the network of the machine is closed, and text must look the same everywhere. */
const FLAGS = [
  "--no-sandbox",
  "--disable-dev-shm-usage",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--font-render-hinting=none",
];

/** Starts a browser without a window. */
export async function startChromium(): Promise<Browser> {
  // Many tests import this module's neighbours and need no browser.
  const { chromium } = await import("playwright-core");
  if (CHROMIUM === undefined) throw new Error("there is no chromium on the PATH");
  return await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/** A site with one empty page. */
export interface TestSite {
  /** Its origin by the name `localhost`. */
  readonly byName: string;
  /** Its origin by the address 127.0.0.1. */
  readonly byAddress: string;
  close(): Promise<void>;
}

/** Starts a site with an empty page, which runs the module where there is one. */
export async function startSite(module?: string): Promise<TestSite> {
  const site = await listenOnLoopback(
    createServer((request, response) => {
      const isModule = request.url === "/module.js";
      response.writeHead(200, { "content-type": isModule ? "text/javascript" : "text/html" });
      response.end(isModule ? module : `<!doctype html><title>page</title>${module === undefined ? "" : LOADS_MODULE}`);
    }),
  );
  return { byName: `http://localhost:${site.url.port}`, byAddress: site.url.origin, close: () => site.close() };
}

const LOADS_MODULE = '<script type="module" src="/module.js"></script>';

/** What a page got for one request: what it may read of the answer, or that the browser kept the answer from it. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface PageRequest {
  readonly url: string;
  /** @default "POST" */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Lets a page make a request with `fetch`. `blocked` where the browser did not send it, or keeps its answer. */
export async function fetchInPage(page: Page, request: PageRequest): Promise<PageAnswer | "blocked"> {
  return await page.evaluate(async ({ url, method = "POST", headers = {}, body }) => {
    try {
      const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) });
      return { status: answer.status, headers: Object.fromEntries(answer.headers), text: await answer.text() };
    } catch {
      return "blocked";
    }
  }, request);
}
