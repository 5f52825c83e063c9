import { benign, leaks } from "@recourse/testing";
import { describe, expect, it } from "vitest";
import { filterLine } from "./filter-line.ts";
import { unescapeText } from "./layers.ts";
import { FOREIGN_TEXT, findPattern } from "./pattern-filter.ts";
import { alternativesOf, Prefilter } from "./prefilter.ts";
import { PATTERN_RULES } from "./rules/all-rules.ts";
import { firstRuleIn, type PatternRule } from "./rules/rule.ts";

describe("corpus", () => {
  const show = (text: string) => filterLine(text, { max: 480, rule: FOREIGN_TEXT.ruleForQuote });

  it("stops at least 95 of 100 leaks", () => {
    const table: Record<string, { stopped: number; of: number }> = {};
    for (const { category, text, canaries } of leaks) {
      const shown = show(text);
      const row = table[category] ?? { stopped: 0, of: 0 };
      table[category] = row;
      row.of++;
      if (shown === undefined || !canaries.some((canary) => shown.includes(canary))) row.stopped++;
    }
    console.table(table);
    const stopped = Object.values(table).reduce((sum, row) => sum + row.stopped, 0);
    expect(stopped / leaks.length).toBeGreaterThanOrEqual(0.95);
  });

  it("does not change harmless sentences", () => {
    expect(benign.filter(({ text }) => show(text) !== text)).toStrictEqual([]);
  });
});

describe("findPattern", () => {
  it("gives the same answer twice", () => {
    for (const { text } of leaks) expect(findPattern(text)).toBe(findPattern(text));
  });

  // The prefilter may only save time: it must never rule out a rule that would fire.
  it("finds what trying every rule would find", () => {
    const slow = (text: string) => firstRuleIn(PATTERN_RULES, text);
    for (const { text } of [...leaks, ...benign]) {
      const head = text.slice(0, 4096);
      expect(findPattern(text)).toBe(slow(head) ?? slow(unescapeText(head).slice(0, 8192)));
    }
  });
});

describe("Prefilter", () => {
  const patterns = PATTERN_RULES.flatMap(({ find, confirm }: PatternRule) =>
    confirm ? [new RegExp(find, find.flags.replace("g", ""))] : alternativesOf(find),
  );
  const prefilter = new Prefilter(patterns);

  it("marks each pattern that matches a text", () => {
    const texts = [...leaks.map(({ text }) => text), ...benign.map(({ text }) => text)];
    const missed = texts.flatMap((text) => {
      const marks = prefilter.candidates(text);
      return patterns.filter((pattern, index) => marks[index] !== 1 && pattern.test(text)).map((each) => [text, each]);
    });
    expect(missed).toStrictEqual([]);
  });

  it("rules out nearly all patterns for a plain sentence", () => {
    const marked = prefilter.candidates("The order was not found, please try another one").filter((mark) => mark === 1);
    expect(marked.length).toBeLessThan(patterns.length * 0.05);
  });
});
