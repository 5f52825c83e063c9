import { isNightly } from "@recourse/test-kit/runs";
import {
  alternativesOf,
  knownSafePatterns,
  linesFor,
  patternLiterals,
  safePatternsFile,
} from "@recourse/test-kit/safe-patterns";
import { checkSync } from "recheck";
import { expect, it } from "vitest";
import { BOOK, BOOK_PARTS, RULE_TEXTS } from "./rules/cut-rules.ts";
import type { RuleTest } from "./rules/rule.ts";

// A pattern sees at most two windows of text, so longer attacks need not be searched for.
const SEARCH = {
  timeout: null,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  maxAttackStringSize: 8192,
  attackLimit: 4_000_000,
  maxIteration: 2,
  incubationLimit: 10_000,
  maxInitialGenerationSize: 50,
  maxGenerationSize: 20,
  mutationSize: 5,
  crossoverSize: 5,
};

const isKnown = knownSafePatterns("safety");
const patterns = {
  rules: rulePatterns(),
  others: patternLiterals(new URL("./", import.meta.url)),
};

function isSafe(pattern: RegExp): boolean {
  if (isKnown(pattern)) return true;
  const { source, flags } = pattern;
  // A busy machine can make a bad verdict of a good one, never a good one of a bad one.
  const check = () => checkSync(source, flags.replace(/[gy]/, ""), SEARCH).status === "safe";
  return check() || check() || check();
}

function rulePatterns(): readonly (readonly [id: string, find: RegExp])[] {
  const rules = RULE_TEXTS.flatMap(({ id, pattern, flags, if: some = [], unless = [] }) => [
    ...alternativesOf(compile(pattern, flags)).map((find) => [id, find] as const),
    ...[...some, ...unless].flatMap((tests) => testPatterns(id, tests)),
  ]);
  const kinds = Object.entries(BOOK_PARTS.kinds).flatMap(([name, { if: some = [], unless = [] }]) =>
    [...some, ...unless].flatMap((tests) => testPatterns(name, tests)),
  );
  const edges = ["nextParameter", "keyEnd", "keyLines", "nameWords", "secretHeading"].map(
    (name) => [name, compile(`{{${name}}}`)] as const,
  );
  return [...rules, ...kinds, ...edges];
}

function testPatterns(id: string, tests: readonly RuleTest[]) {
  return tests.flatMap(({ has, flags }) => (has === undefined ? [] : [[id, compile(has, flags)] as const]));
}

function compile(source: string, flags = ""): RegExp {
  return new RegExp(BOOK.expand(source), `u${flags}`);
}

it("has no rule that backtracks", { timeout: 600_000 }, () => {
  const unsafe = patterns.rules.filter(([, find]) => !isSafe(find)).map(([id, find]) => `${id} ${find}`);
  expect(unsafe).toStrictEqual([]);
});

it("has no other pattern that backtracks", { timeout: 300_000 }, () => {
  expect(patterns.others.length).toBeGreaterThan(20);
  expect(patterns.others.filter((pattern) => !isSafe(pattern)).map(String)).toStrictEqual([]);
});

it("finds a pattern that backtracks", () => {
  expect(isSafe(/^(?:a|a)*b$/)).toBe(false);
});

// What was searched at night need not be searched by day.
if (isNightly) {
  it("has all of its patterns on the list", async () => {
    const all = [...patterns.rules.map(([, find]) => find), ...patterns.others];
    await expect(linesFor(all)).toMatchFileSnapshot(safePatternsFile("safety"));
  });
}
