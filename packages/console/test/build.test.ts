import { cpSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { buildConsole } from "../build.ts";
import { withBuiltConsole } from "../scenes/built-console.ts";

const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), "console-build-")));
const [first = "", second = ""] = folders;
let files: Awaited<ReturnType<typeof buildConsole>> = [];

beforeAll(async () => {
  await withBuiltConsole(async (folder) => cpSync(folder, first, { recursive: true }));
  vi.stubEnv("NODE_ENV", "development");
  files = await buildConsole(second);
  expect(process.env["NODE_ENV"]).toBe("development");
  vi.unstubAllEnvs();
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const listed = (folder: string) =>
  globSync("**/*.*", { cwd: folder })
    .filter((path) => path !== "files.json")
    .toSorted();

it("gives the same bytes twice, whatever NODE_ENV says", () => {
  expect(listed(first)).toEqual(listed(second));
  for (const path of [...listed(first), "files.json"])
    expect(readFileSync(join(first, path)).equals(readFileSync(join(second, path))), path).toBe(true);
});

it("lists every file, and compresses those of 1 kB and more but for the page", () => {
  expect(JSON.parse(readFileSync(join(first, "files.json"), "utf8"))).toEqual({ files });
  expect(files.map(({ path }) => path).toSorted()).toEqual(listed(first));
  for (const { path, size } of files) {
    expect(readFileSync(join(first, path)).length).toBe(size);
    const isLarge = plainText(path).length >= 1_024 && path !== "index.html";
    expect(path.endsWith(".gz")).toBe(isLarge);
  }
});

/** A file as browsers read it. */
function plainText(path: string): string {
  const bytes = readFileSync(join(first, path));
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString();
}

it("ships no source maps, and a page without inline script or style", () => {
  expect(listed(first).filter((path) => path.includes(".map"))).toEqual([]);
  for (const path of listed(first).filter((one) => /\.js(?:\.gz)?$/.test(one)))
    expect(plainText(path)).not.toContain("sourceMappingURL");
  const page = plainText("index.html");
  expect(page).not.toMatch(/<style|style=|<script(?![^>]* src=)| on\w+=|<base/);
  for (const [, address = ""] of page.matchAll(/(?:src|href)="([^"]*)"/g)) expect(address).toMatch(/^\.\/assets\//);
});

it("is at most 450 kB", () => {
  expect(files.reduce((sum, { size }) => sum + size, 0)).toBeLessThanOrEqual(450_000);
});
