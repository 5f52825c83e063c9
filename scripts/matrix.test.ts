import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const page = readFileSync(join(root, "docs/guide/matrix.md"), "utf8");
const COLUMNS = ["setup", "SDK v1", "SDK v2", "how checked", "shown by"];
/** "no" needs a reason, and "by hand" a date. */
const CELL = /^(?:yes|no: .+|—)$/;
const CHECKED = /^(?:CI|no: .+|by hand, \d{4}-\d{2}-\d{2})$/;

const lines = page.split("\n").filter((line) => line.startsWith("| "));
const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split("|")
    .map((cell) => cell.trim());
const rows = lines.map(cellsOf).filter(([first]) => first !== COLUMNS[0] && first?.startsWith("---") === false);

test("every table has the same columns", () => {
  const heads = lines.map(cellsOf).filter(([first]) => first === COLUMNS[0]);
  expect(heads).toHaveLength(4);
  for (const head of heads) expect(head).toEqual(COLUMNS);
});

test("the setups that people ask for are there, each once", () => {
  const setups = rows.map(([setup]) => setup ?? "");
  expect(new Set(setups).size).toBe(setups.length);
  for (const name of ["node:http", "Express 5", "Fastify 5", "Hono", "Next.js", "Bun", "Deno", "workerd", "Chromium"]) {
    expect(setups).toContain(name);
  }
  for (const name of [
    "Vercel AI SDK",
    "LangChain",
    "OpenAI Agents SDK",
    "Mastra",
    "FastMCP (npm): `guardTool` for each tool",
  ]) {
    expect(setups).toContain(name);
  }
});

describe.each(rows)("%s", (_, v1 = "", v2 = "", checked = "", shown = "") => {
  test("says what is known", () => {
    expect(v1).toMatch(CELL);
    expect(v2).toMatch(CELL);
    expect(checked).toMatch(CHECKED);
  });

  test("names files that exist", () => {
    const files = [...shown.matchAll(/`([^`]+)`/g)].map(([, file = ""]) => file);
    expect(files).not.toEqual([]);
    for (const file of files) expect(existsSync(join(root, file)), file).toBe(true);
  });
});
