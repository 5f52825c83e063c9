import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { closient } from "@recourse/dialects/closient";
import { core } from "@recourse/faults/reasons";
import { isNightly } from "@recourse/test-kit/runs";
import { dialectLaws } from "@recourse/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { library } from "./dialect.ts";
import { plainLibrary } from "./from-scratch.ts";
import published from "./published-codes.json" with { type: "json" };
import { lending } from "./reasons.ts";

const reasons = [...Object.values(lending), core.timeout];

describe("the laws", () => {
  const laws = [
    ...dialectLaws(library, { fc, reasons, contexts: [undefined, { form: "reply" }] }),
    ...dialectLaws(plainLibrary, { fc, reasons }),
  ];
  for (const law of laws) test(law.name, () => law.run({ numRuns: isNightly ? 200 : 50 }));
});

test("published codes keep their meaning", () => {
  expect(library.codes.published(), "add new codes to published-codes.json").toEqual(published);
});

test("ten codes are the library's own", () => {
  const own = Object.keys(library.codes.published()).filter((code) => !(code in closient.codes.published()));
  expect(own).toHaveLength(10);
});

test("a client of the running server reads the library's own reasons with their values", () => {
  const run = fileURLToPath(new URL("run.ts", import.meta.url));
  const output = execFileSync(process.execPath, ["--conditions=@recourse/source", run], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  expect(output.trim().split("\n")).toEqual([
    "lent",
    "-32212 lending/all_lent { isbn: '9780201896831', until: '2026-12-01' }",
    "-32311 core/timeout ",
    "-32210 lending/no_book { isbn: '9780000000000' }",
    "[ -32210, -32212, -32311 ]",
  ]);
});
