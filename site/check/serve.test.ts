import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ServedSite, serveFolder } from "./serve.ts";

const folder = mkdtempSync(join(tmpdir(), "recourse-serve-"));
let site: ServedSite;
beforeAll(async () => {
  mkdirSync(join(folder, "guide"));
  writeFileSync(join(folder, "guide/index.html"), "<h1>Guide</h1>");
  writeFileSync(join(folder, "404.html"), "<h1>Unknown</h1>");
  writeFileSync(join(folder, "icon.png"), "picture");
  site = await serveFolder(folder);
});
afterAll(async () => {
  await site.close();
  rmSync(folder, { recursive: true });
});

test.each([
  ["/guide/", 200, "<h1>Guide</h1>", "text/html; charset=utf-8", "gzip"],
  ["/guide/?q=1", 200, "<h1>Guide</h1>", "text/html; charset=utf-8", "gzip"],
  ["/icon.png", 200, "picture", "image/png", null],
  ["/no/such/page/", 404, "<h1>Unknown</h1>", "text/html; charset=utf-8", "gzip"],
  ["/%E0%A4%A/", 404, "<h1>Unknown</h1>", "text/html; charset=utf-8", "gzip"],
  ["/..%2f..%2f..%2fetc/hostname", 404, "<h1>Unknown</h1>", "text/html; charset=utf-8", "gzip"],
])("%s", async (path, status, text, type, encoding) => {
  const reply = await fetch(`${site.address}${path}`);
  expect(reply.status).toBe(status);
  expect(await reply.text()).toBe(text);
  expect(reply.headers.get("content-type")).toBe(type);
  expect(reply.headers.get("content-encoding")).toBe(encoding);
});

test("an address outside of the path of the site is not found", async () => {
  const reply = await fetch(new URL("/guide/", site.address));
  expect(reply.status).toBe(404);
  expect(await reply.text()).toBe("");
});
