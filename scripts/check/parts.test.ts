import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { EVERY_CHANGE } from "./every-change.ts";
import { digestFiles, filesIn, listFiles } from "./files.ts";
import { NIGHTLY } from "./nightly.ts";
import { touchedParts } from "./nightly-record.ts";
import type { NightlyPart, Part } from "./part.ts";

const root = join(import.meta.dirname, "../..");
const files = listFiles();
const everyChange = EVERY_CHANGE.flatMap(({ parts }) => parts);
const parts: readonly (Part & Partial<NightlyPart>)[] = [...everyChange, ...NIGHTLY];

test("each part has a name of its own", () => {
  expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length);
});

test.each(parts.map((part) => [part.name, part] as const))(
  "%s covers files that exist, and runs scripts",
  (_, part) => {
    for (const glob of part.covers ?? []) expect(filesIn([glob], files), glob).not.toEqual([]);
    const commands = [...part.commands, ...(part.whenTouched ?? [])];
    expect(commands).not.toEqual([]);
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
    for (const [program, ...args] of commands) {
      if (program === "npm") expect(scripts).toHaveProperty([args[2] ?? ""]);
      for (const script of args.filter((arg) => /^scripts\/.*\.ts$/.test(arg))) expect(files).toContain(script);
    }
  },
);

test("every test with more cases or runs at night is in a nightly part", () => {
  const tests = filesIn(["**/*.test.ts"], files);
  const asking = tests.filter((file) => readFileSync(join(root, file), "utf8").includes('@recourse/test-kit/runs"'));
  expect(asking.length).toBeGreaterThan(30);
  const run = new Set(NIGHTLY.flatMap(({ commands }) => commands.flat()));
  expect(asking.filter((file) => !run.has(file))).toEqual([]);
});

test("every example project is a nightly part", () => {
  const projects = globSync("examples/*/package.json", { cwd: root }).map((file) => `example-${file.split("/")[1]}`);
  const named = NIGHTLY.map(({ name }) => name).filter((name) => name.startsWith("example-"));
  expect(named.toSorted()).toEqual(projects.toSorted());
});

test("CONTRIBUTING.md lists every nightly part with its reason", () => {
  const page = readFileSync(join(root, "CONTRIBUTING.md"), "utf8");
  const [, table = ""] = /\n\| nightly part \|.*\n\| --- .*\n((?:\|.*\n)*)/.exec(page) ?? [];
  const rows = table.split("\n").filter((line) => line !== "");
  const cells = rows.map((row) => row.split("|").map((cell) => cell.trim()));
  const listed = Object.fromEntries(cells.map(([, name = "", , , reason = ""]) => [name.replaceAll("`", ""), reason]));
  expect(listed).toEqual(Object.fromEntries(NIGHTLY.map(({ name, reason }) => [name, reason])));
});

describe("a nightly part is touched", () => {
  const part: NightlyPart = { ...(NIGHTLY[0] as NightlyPart), covers: ["scripts/check/*.ts"] };
  const record = { [part.name]: digestFiles(filesIn(part.covers, files)) };

  test("when a covered file differs from the state in which it last passed", () => {
    expect(touchedParts([part], files, record)).toEqual([]);
    expect(
      touchedParts(
        [part],
        files.filter((file) => file !== "scripts/check/part.ts"),
        record,
      ),
    ).toEqual([part]);
    expect(touchedParts([{ ...part, covers: ["scripts/check.ts"] }], files, record)).not.toEqual([]);
  });

  test("when it never passed", () => {
    expect(touchedParts([part], files, {})).toEqual([part]);
  });
});
