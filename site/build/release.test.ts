import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { VersionList } from "../content/versions.ts";
import { planRelease, release } from "./release.ts";
import type { BuildOptions } from "./run.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "recourse-release-test-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Writes one page that says what it was built from. */
async function build({ folder: out = "", base, revision }: BuildOptions): Promise<void> {
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, "index.html"), `${base} ${revision}`);
}
const read = (file: string) => readFileSync(join(folder, file), "utf8");

test("a release has a folder of its own, and is the newest at the root", async () => {
  await release({ folder, tag: "v0.1.0" }, build);
  expect(read("index.html")).toBe("/ v0.1.0");
  expect(read("v0.1/index.html")).toBe("/v0.1/ v0.1.0");
  expect((JSON.parse(read("versions.json")) as VersionList).newest).toBe("v0.1");
});

test("a released version is never built again", async () => {
  await release({ folder, tag: "v0.1.0" }, build);
  const again = await release({ folder, tag: "v0.1.1" }, build);
  expect(again).toMatchObject({ ok: false });
  expect(read("v0.1/index.html")).toBe("/v0.1/ v0.1.0");
});

test("the next release replaces the root and leaves older versions alone", async () => {
  await release({ folder, tag: "v0.1.0" }, build);
  writeFileSync(join(folder, "old-page.html"), "");
  await release({ folder, tag: "v0.2.0" }, build);
  expect(read("index.html")).toBe("/ v0.2.0");
  expect(read("v0.1/index.html")).toBe("/v0.1/ v0.1.0");
  expect(existsSync(join(folder, "old-page.html"))).toBe(false);
});

test("a late release of an older minor does not become the newest", async () => {
  await release({ folder, tag: "v0.2.0" }, build);
  await release({ folder, tag: "v0.1.5" }, build);
  expect(read("index.html")).toBe("/ v0.2.0");
  expect(read("v0.1/index.html")).toBe("/v0.1/ v0.1.5");
});

test("the main branch is built as often as needed, and leaves the root to the release", async () => {
  await release({ folder, tag: "v0.1.0" }, build);
  await release({ folder, tag: undefined }, build);
  expect(await release({ folder, tag: undefined }, build)).toMatchObject({ ok: true });
  expect(read("next/index.html")).toBe("/next/ main");
  expect(read("index.html")).toBe("/ v0.1.0");
});

test("a tag that is no release is refused", () => {
  expect(planRelease({ tag: "main", list: undefined, folders: [] })).toMatchObject({ ok: false });
});
