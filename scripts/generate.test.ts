import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { catalogue } from "@recourse/faults/explain";
import { describe, expect, it, onTestFinished } from "vitest";
import { compare, generatedFiles, update } from "./generate/files.ts";
import { json } from "./generate/json.ts";
import { brokenLinks } from "./generate/markdown.ts";
import { reasonOf, sampleFault, sampleParams } from "./generate/samples.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const files = generatedFiles();

describe("generated files", () => {
  it("are the ones on disk", () => {
    expect(compare(root, files)).toEqual({ stale: [], left: [] });
  });

  it("are the same every time", () => {
    expect(generatedFiles()).toEqual(files);
  });

  it("have a page for every reason", () => {
    for (const id of Object.keys(catalogue)) expect(files.get(`docs/errors/${id}.md`)).toContain(`\`${id}\``);
  });

  it("end with one newline", () => {
    for (const [path, text] of files) expect(text, path).toMatch(/[^\n]\n$/);
  });

  it("have no broken link", () => {
    expect(brokenLinks(files)).toEqual([]);
  });
});

describe("compare and update", () => {
  it("find and repair files that differ, are missing or are left over", () => {
    const folder = mkdtempSync(join(tmpdir(), "generate-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const wanted = new Map([
      ["docs/errors/a/new.md", "new\n"],
      ["docs/errors/same.md", "same\n"],
      ["docs/errors/stale.md", "fresh\n"],
    ]);
    mkdirSync(join(folder, "docs/errors/b"), { recursive: true });
    writeFileSync(join(folder, "docs/errors/same.md"), "same\n");
    writeFileSync(join(folder, "docs/errors/stale.md"), "old\n");
    writeFileSync(join(folder, "docs/errors/b/gone.md"), "gone\n");

    const difference = compare(folder, wanted);
    expect(difference).toEqual({
      stale: ["docs/errors/a/new.md", "docs/errors/stale.md"],
      left: ["docs/errors/b/gone.md"],
    });
    update(folder, wanted, difference);
    expect(compare(folder, wanted)).toEqual({ stale: [], left: [] });
    expect(readFileSync(join(folder, "docs/errors/stale.md"), "utf8")).toBe("fresh\n");
  });
});

describe("samples", () => {
  it.each(Object.keys(catalogue))("show every value of %s", (id) => {
    const params = sampleParams(reasonOf(id));
    const shown = Object.keys(params).length === 0 ? undefined : params;
    expect(sampleFault(id).params).toEqual(shown);
  });
});

describe("brokenLinks", () => {
  it("finds links to missing pages and to missing headings", () => {
    const pages = new Map([
      ["docs/a.md", "# Top\n\n[b](sub/b.md) [b](sub/b.md#two-words) [own](#top) [no](c.md) [no](sub/b.md#three)\n"],
      ["docs/sub/b.md", "## Two words\n\n[a](../a.md) [no](../../a.md)\n"],
    ]);
    expect(brokenLinks(pages)).toEqual(["docs/a.md: c.md", "docs/a.md: sub/b.md#three", "docs/sub/b.md: ../../a.md"]);
  });
});

describe("json", () => {
  it("parses to the same value", () => {
    const value = { a: [], b: {}, c: [1, "x", null], d: [{ e: true }], f: Array(40).fill("word") };
    expect(JSON.parse(json(value))).toEqual(value);
  });

  it("keeps short lists on one line and breaks long ones", () => {
    expect(json({ c: [1, 2] })).toBe('{\n  "c": [1, 2]\n}\n');
    expect(json(Array(40).fill("word")).split("\n")).toHaveLength(43);
  });
});
