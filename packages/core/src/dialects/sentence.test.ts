import { isNightly } from "@recourse/test-kit/runs";
import { knownSafePatterns, linesFor, safePatternsFile } from "@recourse/test-kit/safe-patterns";
import { checkSync } from "recheck";
import { expect, it } from "vitest";
import { FASTMCP_ERROR_PATTERNS, FASTMCP_TOOL_PATTERNS } from "./fastmcp/dialect.ts";
import { SDK_GUESSED_PATTERNS, SDK_PATTERNS } from "./sdk/patterns.ts";
import { matchSentence, type SentencePattern } from "./sentence.ts";
import { FAILURE_PHRASES } from "./text/dialect.ts";

const ALL: readonly SentencePattern[] = [
  ...SDK_PATTERNS,
  ...SDK_GUESSED_PATTERNS,
  ...FASTMCP_TOOL_PATTERNS,
  ...FASTMCP_ERROR_PATTERNS,
];
/** A sentence is looked at up to here, so longer attacks need not be searched for. */
const SEARCH = {
  // Limits count work, not time: a busy machine must not change the verdict.
  timeout: null,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  maxAttackStringSize: 4096,
  attackLimit: 4_000_000,
  maxIteration: 2,
  incubationLimit: 5_000,
};

const patterns = [...ALL.map(({ pattern }) => pattern), ...FAILURE_PHRASES.map(([phrase]) => phrase)];
const isKnown = knownSafePatterns("sentences");

it("has no pattern that backtracks", { timeout: 300_000 }, () => {
  const unsafe = patterns
    .filter((pattern) => !isKnown(pattern))
    .filter(({ source, flags }) => checkSync(source, flags, SEARCH).status === "vulnerable");
  expect(unsafe.map(String)).toEqual([]);
});

// What was searched at night need not be searched by day.
if (isNightly) {
  it("has all of its patterns on the list", async () => {
    await expect(linesFor(patterns)).toMatchFileSnapshot(safePatternsFile("sentences"));
  });
}

it("has every pattern anchored at the start", () => {
  expect(ALL.filter(({ pattern }) => !pattern.source.startsWith("^"))).toEqual([]);
});

it("requires the code where a pattern has one", () => {
  const form = SDK_PATTERNS.find((one) => one.reason.id === "protocol/session_not_found") as SentencePattern;
  const text = "Session not found";
  expect(matchSentence([form], { text, code: -32001 }, {})?.reason).toBe("protocol/session_not_found");
  expect(matchSentence([form], { text, code: 7 }, {})).toBeUndefined();
  expect(matchSentence([form], { text, code: undefined }, {})).toBeUndefined();
});
