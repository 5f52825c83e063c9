import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isNightly } from "@recourse/test-kit/runs";
import { seededRandom } from "@recourse/test-kit/seeded-random";
import { benign, leaks } from "@recourse/testing";
import { RE2JS } from "re2js";
import { expect, it } from "vitest";
import { findMatches } from "../../src/safety/find-matches.ts";
import { foldText } from "../../src/safety/folded-text.ts";
import { BOOK_PARTS, CUT_RULES, RULE_TEXTS } from "../../src/safety/rules/cut-rules.ts";
import { type CutRule, type Pattern, RuleBook } from "../../src/safety/rules/rule.ts";
import { CALLER_TEXTS, CREDENTIALS, LEAKS, PASSES, SENTENCES, SERVER_TEXTS, VALUES } from "./texts.ts";

const RULES_FILE = fileURLToPath(new URL("../../../../conformance/text-rules.json", import.meta.url));
const PROGRAM = fileURLToPath(new URL("find_cuts.py", import.meta.url));

interface Examples {
  readonly examples: Readonly<Record<string, { readonly cuts: string; readonly leaves: string }>>;
}
const { examples } = JSON.parse(readFileSync(RULES_FILE, "utf8")) as Examples;

/** Pieces at which engines differ: letters with unusual cases, characters of two units, every white space, line ends. */
const PIECES = [
  ...Object.values(examples).map(({ cuts }) => cuts),
  ..."a|Z|0|_|-|.|:|=| |\t|\n|\r\n|\v|\f|\u0085|\u00a0|\u1680|\u2028|\u3000|\ufeff|😀|ſ|K|İ|ı|ß|ẞ|ñ|Ñ|Д|д|密码|é|e\u0301|…|“|”|'|\"|`|(|)|[|]|{|}|<|>|,|;|&|$|%20|\\|/|password|token|user |is |пароль: |ПАРОЛЬ: ".split(
    "|",
  ),
];

function craftedTexts(count: number): readonly string[] {
  const random = seededRandom(7);
  const pick = () => PIECES[Math.floor(random() * PIECES.length)] ?? "";
  return Array.from({ length: count }, () => Array.from({ length: 2 + Math.floor(random() * 8) }, pick).join(""));
}

const CORPORA = [
  ...leaks.map(({ text }) => text),
  ...benign.map(({ text }) => text),
  ...[CREDENTIALS, PASSES, SERVER_TEXTS, VALUES].flatMap((sets) => Object.values(sets).flat()),
  ...LEAKS.map(([text]) => text),
  ...SENTENCES,
  ...CALLER_TEXTS.map(({ text }) => text),
];

/** By day a quarter of the corpora: RE2 in JavaScript takes a minute for all of them. */
const TEXTS = [
  ...CORPORA.filter((_, at) => isNightly || at % 4 === 0),
  ...Object.values(examples).flatMap(({ cuts, leaves }) => [cuts, leaves]),
  ...craftedTexts(isNightly ? 2000 : 150),
].map((text) => foldText(text.toWellFormed()).text);

type Cut = readonly [rule: string, part: string];

function cutsOf(rules: readonly CutRule[], text: string): readonly Cut[] {
  return rules.flatMap((rule) =>
    findMatches(rule, text).map(({ start, end }) => [rule.id, text.slice(start, end)] as const),
  );
}

/** The texts that two engines cut differently, with what each cuts. */
function differences(one: readonly (readonly Cut[])[], other: readonly (readonly Cut[])[]) {
  return TEXTS.flatMap((text, at) =>
    JSON.stringify(one[at]) === JSON.stringify(other[at]) ? [] : [{ text, one: one[at], other: other[at] }],
  );
}

const here = TEXTS.map((text) => cutsOf(CUT_RULES, text));

it("has texts for which much is cut", () => {
  expect(new Set(here.flat().map(([rule]) => rule)).size).toBe(Object.keys(examples).length);
});

/** What the cutter needs of a pattern, by RE2. */
function compileByRe2(source: string, flags: string): Pattern {
  const pattern = RE2JS.compile(source, flags.includes("i") ? RE2JS.CASE_INSENSITIVE : 0);
  return {
    lastIndex: 0,
    test: (text) => pattern.matcher(text).find(),
    exec(text) {
      const matcher = pattern.matcher(text);
      if (!matcher.find(flags.includes("g") ? this.lastIndex : 0)) return null;
      const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, group) => group);
      const places = groups.map((group) =>
        matcher.start(group) < 0 ? undefined : ([matcher.start(group), matcher.end(group)] as const),
      );
      const parts = places.map((place) => (place === undefined ? undefined : text.slice(...place)));
      return Object.assign(parts, {
        index: matcher.start(),
        input: text,
        indices: places,
      }) as unknown as RegExpExecArray;
    },
  };
}

it("is cut alike by JavaScript and RE2", { timeout: 300_000 }, () => {
  const rules = new RuleBook({ ...BOOK_PARTS, compile: compileByRe2 }).rules(RULE_TEXTS);
  expect(
    differences(
      here,
      TEXTS.map((text) => cutsOf(rules, text)),
    ),
  ).toEqual([]);
});

const python = spawnSync("python3", ["--version"], { encoding: "utf8" });
const isMissing = python.status !== 0;

it("is cut alike by JavaScript and Python", { timeout: 300_000 }, (test) => {
  test.skip(isMissing, "python3 is not installed");
  const run = spawnSync("python3", ["-W", "error", PROGRAM, RULES_FILE], {
    input: JSON.stringify(TEXTS),
    encoding: "utf8",
    maxBuffer: 1 << 28,
  });
  expect(run.stderr).toBe("");
  expect(differences(here, JSON.parse(run.stdout) as Cut[][])).toEqual([]);
});
