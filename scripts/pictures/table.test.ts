import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { THEMES } from "../../site/figures/file.ts";
import { FIGURES } from "../../site/figures/index.ts";
import { findMachineText, replaceVarying } from "./replacements.ts";
import { PICTURES, type PictureName, pictureFiles } from "./table.ts";

const ROOT = join(import.meta.dirname, "../..");
const FOLDER = join(ROOT, "docs/pictures");
const NAMES = Object.keys(PICTURES) as PictureName[];
/** These are drawn by site/figures. */
const FIGURE_FILES = FIGURES.flatMap(({ name }) => THEMES.map((theme) => `${name}-${theme}.svg`));
const PICTURE_LINK = /(?:src|srcset)="([^"]{1,200})"|!\[[^\]]{0,200}\]\(([^)\s]{1,200})\)/g;
const MAX_BYTES = { svg: 60_000, png: 250_000, txt: 10_000 } as const;

describe("the pictures of the docs", () => {
  it.each(NAMES)("%s is there for light and dark pages, and as text", (name) => {
    for (const file of Object.values(pictureFiles(name))) {
      const form = file.slice(-3) as keyof typeof MAX_BYTES;
      expect(statSync(join(FOLDER, file)).size, file).toBeLessThan(MAX_BYTES[form]);
      if (form === "png") continue;
      const content = readFileSync(join(FOLDER, file), "utf8");
      expect(findMachineText(content, { folder: "/tmp/" }), file).toEqual([]);
      if (form === "svg") expect(content).toMatch(/^<svg [^>]+ role="img"[^>]*>\n<title>[^<]+<\/title>/);
    }
  });

  it("are those of the table and the figures, and no others", () => {
    expect(globSync("*", { cwd: FOLDER }).toSorted()).toEqual(
      [...NAMES.flatMap((name) => Object.values(pictureFiles(name))), ...FIGURE_FILES].toSorted(),
    );
  });

  it("exist if a page names them, and each is named", () => {
    const named = new Set<string>();
    for (const page of ["README.md", ...globSync("docs/**/*.md", { cwd: ROOT })])
      for (const [, source, target] of readFileSync(join(ROOT, page), "utf8").matchAll(PICTURE_LINK)) {
        const link = source ?? target ?? "";
        if (link.includes("://")) continue;
        const file = join(dirname(page), link);
        expect(existsSync(join(ROOT, file)), `${page}: ${link}`).toBe(true);
        named.add(file);
      }
    for (const name of NAMES) {
      const { light, dark } = pictureFiles(name);
      for (const file of [light, dark]) expect(named).toContain(`docs/pictures/${file}`);
    }
    for (const file of FIGURE_FILES) expect(named).toContain(`docs/pictures/${file}`);
  });
});

describe("what differs in each run", () => {
  it("is replaced by the same values, with the same width where lines are wrapped", () => {
    const run = (id: string, other: string) =>
      `\u001b[1m${id}\u001b[22m at 2031-01-02 03:04:05.678 UTC, ${other}, ${id}\n  took  7 ms\nup for 12 s · http://127.0.0.1:40404/admin/v1`;
    const first = run("01M7P7V9GP6N7VNB505XERQE29", "01M7P7V94TMFDNJ68XVBARGB71");
    const settled = replaceVarying(first, { folder: "/tmp/a" });
    expect(settled).toBe(
      replaceVarying(run("01M7P7X8V6TTJ7SARVZWXQSN47", "01M7P7X8WQ1M6NTZC5JCJTX7K5"), { folder: "/tmp/b" }),
    );
    expect(settled).toContain("2026-11-18 09:00:07.065 UTC");
    expect(settled.split("\n")[0]).toHaveLength(first.split("\n")[0]?.length ?? 0);
    const ids = settled.match(/01[0-9A-Z]{24}/g) ?? [];
    expect([ids.length, new Set(ids).size]).toEqual([3, 2]);
  });

  it("gives the incidents of a scene the same ids in each of its pictures", () => {
    const incidents = ["01M7P7V9GP6N7VNB505XERQE29"];
    const alone = replaceVarying(incidents.join(), { folder: "/tmp/a", incidents });
    const later = replaceVarying(`01M7P7X8V6TTJ7SARVZWXQSN47 ${incidents.join()}`, { folder: "/tmp/a", incidents });
    expect(later.split(" ")[1]).toBe(alone);
    expect(later.split(" ")[0]).not.toBe(alone);
  });

  it("finds paths of this machine that are left", () => {
    const left = replaceVarying(`/tmp/a/run.json and ${ROOT}/package.json`, { folder: "/tmp/a" });
    expect(left).toMatch(/^run\.json and /);
    expect(findMachineText(left, { folder: "/tmp/a" })).toContain(ROOT);
  });
});
