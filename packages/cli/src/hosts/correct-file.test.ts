import {
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { changedLines, correctText, writeCorrected } from "./correct-file.ts";

const folder = mkdtempSync(join(tmpdir(), "correct-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("only the lines of an edit change, and comments stay", () => {
  const text = '{\n  // mine\n  "a": 1\n  "b": 2,\n}\n';
  const edits = [{ start: text.indexOf("1") + 1, end: text.indexOf("1") + 1, text: "," }];
  expect(correctText(text, edits)).toBe('{\n  // mine\n  "a": 1,\n  "b": 2,\n}\n');
  expect(changedLines(text, edits)).toEqual([{ line: 3, before: ['  "a": 1'], after: ['  "a": 1,'] }]);
});

test("what would still not be JSON is not offered", () => {
  expect(correctText('{"a" 1', [{ start: 0, end: 0, text: " " }])).toBeUndefined();
  expect(correctText("{}", [])).toBeUndefined();
});

test("the old file stays beside the new one, with its rights, and nothing else is left", () => {
  const path = join(folder, "mcp.json");
  writeFileSync(path, "old", { mode: 0o600 });
  expect(writeCorrected(path, { before: "old", after: "new" })).toEqual({ backup: `${path}.backup` });
  expect(writeCorrected(path, { before: "new", after: "newer" })).toEqual({ backup: `${path}.backup1` });
  expect(["", ".backup", ".backup1"].map((ending) => readFileSync(path + ending, "utf8"))).toEqual([
    "newer",
    "old",
    "new",
  ]);
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("links, changed files and files that are gone are refused", () => {
  const path = join(folder, "real.json");
  writeFileSync(path, "old");
  symlinkSync(path, join(folder, "soft.json"));
  expect(writeCorrected(join(folder, "soft.json"), { before: "old", after: "new" })).toHaveProperty("refused");
  expect(writeCorrected(path, { before: "other", after: "new" })).toHaveProperty("refused");
  expect(writeCorrected(join(folder, "none.json"), { before: "", after: "new" })).toHaveProperty("refused");
  linkSync(path, join(folder, "hard.json"));
  expect(writeCorrected(path, { before: "old", after: "new" })).toHaveProperty("refused");
  expect(readFileSync(path, "utf8")).toBe("old");
});
