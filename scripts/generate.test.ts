import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CONNECTION_CAUSE_IDS, catalogue, readFailure } from "@recourse/explain";
import { describe, expect, it, onTestFinished } from "vitest";
import { PROBE_CHECKS } from "../packages/cli/src/checks/catalogue.ts";
import { COMMANDS } from "../packages/cli/src/commands/index.ts";
import { EXIT_CODES } from "../packages/cli/src/program/command.ts";
import { compare, generatedFiles, handWritten, update } from "./generate/files.ts";
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

  it("have a page for every command, and every exit code", () => {
    for (const { name } of COMMANDS) expect(files.get(`docs/cli/${name}.md`)).toContain(`\`recourse ${name}\``);
    for (const path of ["docs/cli/README.md", "packages/cli/README.md"]) {
      const text = files.get(path) ?? readFileSync(join(root, path), "utf8");
      const rows = [...text.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, meaning]) => [Number(code), meaning]);
      expect(rows, path).toEqual(Object.values(EXIT_CODES).map(({ code, meaning }) => [code, meaning]));
    }
  });

  it("have a page for every check, and say what an example scores", () => {
    for (const { id } of PROBE_CHECKS) expect(files.get(`docs/checks/${id}.md`)).toContain(`\`${id}\``);
    // 100 × 0.6 × 0.96 × 0.96 × 0.96 × 0.99 × 0.99 = 52.03, and without the stack trace 86.71.
    expect(files.get("docs/cli/score.md")).toContain("| 52.03 |\n\nThat is **52 D**");
    expect(files.get("docs/cli/score.md")).toContain("all four gives **86 B**");
  });

  it("have a page for every cause, whose example is read as this cause", () => {
    const examples = CONNECTION_CAUSE_IDS.flatMap((id) => {
      const text = files.get(`docs/causes/${id.toLowerCase()}.md`) ?? "";
      expect(text).toContain(`\n\n\`${id}\`\n\n`);
      const [, example] = /For example:\n\n```text\n(.+?)\n```\n/s.exec(text) ?? [];
      return example === undefined ? [] : [{ id, example }];
    });
    expect(examples.length).toBeGreaterThan(20);
    for (const { id, example } of examples) expect(readFailure(example), id).toMatchObject({ cause: { id } });
  });

  it("end with one newline", () => {
    for (const [path, text] of files) expect(text, path).toMatch(/[^\n]\n$/);
  });

  it("have no broken link", () => {
    expect(brokenLinks(files, (path) => handWritten(root, path))).toEqual([]);
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
    mkdirSync(join(folder, "docs/checks"), { recursive: true });
    writeFileSync(join(folder, "docs/checks/gone.md"), "gone\n");

    const difference = compare(folder, wanted);
    expect(difference).toEqual({
      stale: ["docs/errors/a/new.md", "docs/errors/stale.md"],
      left: ["docs/errors/b/gone.md", "docs/checks/gone.md"],
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
    const onDisk = (path: string) => (path === "docs/c.md" ? "# Written by hand\n" : undefined);
    expect(brokenLinks(pages, onDisk)).not.toContain("docs/a.md: c.md");
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
