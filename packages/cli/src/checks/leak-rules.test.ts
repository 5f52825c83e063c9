import { readdirSync, readFileSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { isNightly } from "@recourse/test-kit/runs";
import { expectCost } from "@recourse/test-kit/yardstick";
import { checkSync } from "recheck";
import { expect, it } from "vitest";
import { firstRuleMatch, NETWORK_LEAKS, PATH_LEAKS, RUNTIME_LEAKS, SQL_LEAKS, STACK_LEAKS } from "./leak-rules.ts";

// The rules of the library are proved where they stand; here are the patterns that the checks add.
const AT_NIGHT = {
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
} as const;
/** A proof takes some patterns half a minute; by day a text is searched for that slows them down. */
const BY_DAY = {
  ...AT_NIGHT,
  checker: "fuzz",
  maxAttackStringSize: 4096,
  attackLimit: 1_000_000,
  maxIteration: 1,
  maxInitialGenerationSize: 30,
  maxGenerationSize: 10,
} as const;

function isSafe({ source, flags }: RegExp): boolean {
  return checkSync(source, flags.replace(/[gy]/g, ""), isNightly ? AT_NIGHT : BY_DAY).status === "safe";
}

/** The patterns in the code of a file. */
function patternsIn(file: URL): readonly RegExp[] {
  const code = readFileSync(file, "utf8").replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");
  const found = code.matchAll(
    /(?<=[=(,:!&|?[\s])\/((?![*/ ])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([gimsuy]*)(?=[.,;)\s\]}])/g,
  );
  return Array.from(found, ([, source = "", flags = ""]) => new RegExp(source, flags));
}

const HERE = new URL("./", import.meta.url);
const PATTERNS = readdirSync(HERE)
  .filter((name) => /(?<!\.test)\.ts$/.test(name))
  .map((name) => ({ name, patterns: patternsIn(new URL(name, HERE)) }))
  .filter(({ patterns }) => patterns.length > 0);

it("finds the patterns", () => {
  expect(PATTERNS.flatMap(({ patterns }) => patterns).length).toBeGreaterThan(40);
});

it.each([/^(a+)+$/, /\s+$/, /^(?:[a-z0-9-]+\.?)+\//i, /\d+[\d:.]*Z?x/, /(?<!x)(a|a)*$(?<=b)/])(
  "finds that %s backtracks",
  (pattern) => expect(isSafe(pattern)).toBe(false),
);

// Each search holds up the thread, so a busy machine gets time for other things between the patterns.
it.each(PATTERNS)("has no pattern that backtracks in $name", { timeout: 300_000 }, async ({ patterns }) => {
  const unsafe: RegExp[] = [];
  for (const pattern of patterns) {
    await setImmediate();
    if (!isSafe(pattern)) unsafe.push(pattern);
  }
  expect(unsafe.map(String)).toStrictEqual([]);
});

it.each([
  ["at ", 7000],
  ["a.", 10_000],
  ["SELECT ", 3000],
  ["10.0.0.", 3000],
  ["/home/", 3000],
  ["://a:", 5000],
])("reads 20,000 characters of %j for ten times what 2,000 cost", async (piece, times) => {
  const rules = [...STACK_LEAKS, ...NETWORK_LEAKS, ...PATH_LEAKS, ...SQL_LEAKS, ...RUNTIME_LEAKS];
  const read = (chars: number) => () =>
    firstRuleMatch(rules, piece.repeat(times).slice(0, chars), { counts: () => false });
  await expectCost({ work: read(20_000), yardstick: read(2_000), atMost: 40 });
});

it("finds what stands where two parts of a long text meet", () => {
  const text = `${"x ".repeat(2040)}    at load (/srv/shop/app.js:3:12)`;
  expect(firstRuleMatch(STACK_LEAKS, text)).toContain("at load");
});
