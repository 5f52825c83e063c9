import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { compareFolders, digestFolder } from "./same-bytes.ts";

const root = mkdtempSync(join(tmpdir(), "recourse-bytes-"));
afterAll(() => rmSync(root, { recursive: true }));

function write(name: string, files: Readonly<Record<string, string>>): string {
  const folder = join(root, name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, file, ".."), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

test("folders are compared file by file", () => {
  const first = digestFolder(write("first", { "a/index.html": "a", "b.css": "b", "c.js": "c" }));
  const second = digestFolder(write("second", { "a/index.html": "a", "b.css": "B", "d.js": "c" }));
  expect(compareFolders(first, first)).toEqual([]);
  expect(compareFolders(first, second)).toEqual([
    "b.css differs",
    "c.js is only in the first build",
    "d.js is only in the second build",
  ]);
});
