import { existsSync, globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const PAGES = globSync("docs/**/*.md", { cwd: ROOT }).map((page) => page.replaceAll("\\", "/"));

/** The Markdown files that a page links to. */
function linkedPages(page: string): string[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  const links = [...text.matchAll(/\]\(([^)#\s]+\.md)(?:#[^)]*)?\)/g)].map(([, link = ""]) => link);
  return links
    .filter((link) => !link.includes("://"))
    .map((link) => posix.join(posix.dirname(page), link))
    .filter((target) => existsSync(join(ROOT, target)));
}

test("every page of the documentation is at most two clicks away from its entry", () => {
  const first = linkedPages("docs/README.md");
  const second = first.flatMap(linkedPages);
  const reached = new Set(["docs/README.md", ...first, ...second]);
  expect(PAGES.length).toBeGreaterThan(280);
  expect(PAGES.filter((page) => !reached.has(page))).toEqual([]);
});

test.each(PAGES.filter((page) => page.startsWith("docs/guide/")))(
  "%s begins with a sentence that describes it",
  (page) => {
    const [, text = ""] = /^# .+\n\n([^\n]+(?:\n[^\n]+)*)/.exec(readFileSync(join(ROOT, page), "utf8")) ?? [];
    const [sentence = ""] = /^.+?[.?](?=\s|$)/s.exec(text) ?? [];
    expect(sentence).toMatch(/^[A-Z`]/);
    expect(sentence.length).toBeLessThanOrEqual(160);
  },
);

test("'What to import' lists every entry point of the library", () => {
  const { exports } = JSON.parse(readFileSync(join(ROOT, "packages/faults/package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  const entries = Object.keys(exports).filter((entry) => entry !== "./package.json");
  const page = readFileSync(join(ROOT, "docs/guide/entry-points.md"), "utf8");
  const listed = [...page.matchAll(/^\| `@recourse\/faults(\S*)` \|/gm)].map(([, path]) => `.${path}`);
  expect(listed.toSorted()).toEqual(entries.toSorted());
});
