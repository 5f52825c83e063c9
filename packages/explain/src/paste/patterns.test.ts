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
import { TEXT_RULES } from "./match.ts";
import { STATUS_PATTERNS } from "./status.ts";

// Limits count work, not time: a busy machine must not change the verdict. What grows with the square of a text shows at this
// size, and rules.test.ts measures texts that are as long as they can be.
const SEARCH = {
  timeout: null,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  maxAttackStringSize: 8192,
  attackLimit: 8_000_000,
  maxIteration: 2,
  incubationLimit: 10_000,
  maxInitialGenerationSize: 50,
  maxGenerationSize: 20,
  mutationSize: 5,
  crossoverSize: 5,
};

const rulePatterns = Object.values(TEXT_RULES).flatMap(({ pattern, unless }) => [pattern, ...(unless ? [unless] : [])]);
const patterns = [...rulePatterns, ...STATUS_PATTERNS, ...patternLiterals(new URL("./", import.meta.url))].flatMap(
  alternativesOf,
);
const isKnown = knownSafePatterns("pasted");

it("has no pattern that backtracks", { timeout: isNightly ? 3_600_000 : 300_000 }, () => {
  expect(patterns.length).toBeGreaterThan(500);
  const unsafe = patterns
    .filter((pattern) => !isKnown(pattern))
    .filter(({ source, flags }) => checkSync(source, flags.replace(/[gy]/, ""), SEARCH).status !== "safe");
  expect(unsafe.map(String)).toEqual([]);
});

// What was searched at night need not be searched by day.
if (isNightly) {
  it("has all of its patterns on the list", async () => {
    await expect(linesFor(patterns)).toMatchFileSnapshot(safePatternsFile("pasted"));
  });
}
