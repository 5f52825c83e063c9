// A page in a real Chromium that imports the bundled library.
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, chromium, type Page } from "playwright-core";
import { bundle } from "./hosts.ts";

const PLACES = [
  process.env["CHROMIUM"] ?? "",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
];

/** An open page, on an origin of its own. */
export interface OpenPage {
  readonly page: Page;
  readonly version: string;
  close(): Promise<void>;
}

/** Opens a page that has the library as `/library.js`. */
export async function openPage(): Promise<OpenPage> {
  const script = await bundle("in-browser.ts", ["browser"]);
  const server = createServer((request, response) => {
    const isScript = request.url === "/library.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    response.end(isScript ? script : "<!doctype html><p id=fault></p>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await launch();
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const close = async () => {
    await browser.close();
    server.close();
  };
  return { page, version: browser.version(), close };
}

function launch(): Promise<Browser> {
  const executablePath = PLACES.find((place) => place !== "" && existsSync(place));
  if (executablePath === undefined)
    throw new Error("Chromium is missing: run `apt-get install chromium`, or set CHROMIUM to the path of the program.");
  // The sandbox of Chromium refuses to run as root, as which containers run.
  return chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
}
