import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const page = readFileSync(join(root, "SECURITY.md"), "utf8");
const [, promises = ""] = /## What is promised[^\n]*\n([\s\S]*?)\n## /.exec(page) ?? [];
const named = [...new Set([...page.matchAll(/`([\w./-]+\.test\.ts)`/g)].map(([, file = ""]) => file))];

test.each(named)("%s, which SECURITY.md names, exists", (file) => {
  expect(existsSync(join(root, file))).toBe(true);
});

test("every promise of SECURITY.md names the test that holds it", () => {
  const items = promises.split(/^- /m).slice(1);
  expect(items.length).toBeGreaterThan(15);
  for (const item of items) expect(item).toMatch(/\.test\.ts`/);
});

test("SECURITY.md is short enough to be read", () => {
  expect(page.split("\n").length).toBeLessThan(165);
});
