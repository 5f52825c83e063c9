import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const read = (name: string) => readFileSync(join(root, name), "utf8");
const sources = globSync("examples/*.ts", { cwd: root }).map(read);

const pages = ["README.md", ...globSync("docs/guide/*.md", { cwd: root })];

test.each(pages)("every piece of code in %s stands in an example that compiles and runs", (page) => {
  const blocks = [...read(page).matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = ""]) => code);
  expect(blocks.length).toBeGreaterThan(0);
  for (const block of blocks)
    expect(
      sources.some((source) => source.includes(block)),
      block,
    ).toBe(true);
});

test("the README fits on a few screens, and its links lead somewhere", () => {
  const readme = read("README.md");
  expect(readme.split("\n").length).toBeLessThanOrEqual(150);
  for (const [, target = ""] of readme.matchAll(/\]\(([^)#:]+)\)/g)) expect(() => read(target), target).not.toThrow();
});
