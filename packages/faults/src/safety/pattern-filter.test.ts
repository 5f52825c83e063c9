import { describe, expect, it } from "vitest";
import { benign } from "../testing/corpus/benign.ts";
import { leaks } from "../testing/corpus/leaks.ts";
import { filterLine } from "./filter-line.ts";
import { FOREIGN_TEXT } from "./foreign-text.ts";
import { findPattern } from "./pattern-filter.ts";
import { PATTERN_RULES } from "./rules/all-rules.ts";
import type { PatternRule } from "./rules/rule.ts";
import { unescapeText } from "./unescape.ts";

describe("findPattern", () => {
  it("returns the first rule that matches a text", () => {
    expect(findPattern("open /etc/passwd")).toBe("path.posix");
    expect(findPattern("ask jane.roe@example.org about /etc/passwd")).toBe("personal.email");
    expect(findPattern("Call list_channels first.")).toBe(undefined);
  });

  it("skips the groups that are allowed, and only those", () => {
    expect(findPattern("open /etc/passwd", { allow: ["path"] })).toBe(undefined);
    expect(findPattern("open /etc/passwd", { allow: ["host"] })).toBe("path.posix");
    expect(findPattern("ENOENT, open /etc/passwd", { allow: ["path"] })).toBe("system.errno");
  });

  it("reads the text as it is and without its escapes", () => {
    expect(findPattern("ｐａｓｓｗｏｒｄ＝hunter2")).toBe("credential.assigned");
    expect(findPattern("next=password%3Dhunter2")).toBe("credential.assigned");
    expect(findPattern('got {\\"pwd\\":\\"hunter2\\"}')).toBe("credential.member");
    expect(findPattern("/e\u200btc/passwd")).toBe("path.posix");
  });

  it("gives the same answer twice", () => {
    for (const { text } of leaks) expect(findPattern(text)).toBe(findPattern(text));
  });

  // The prefilter may only save time: it must never rule out a rule that would fire.
  it("finds what trying every rule would find", () => {
    const fires = ({ find, confirm }: PatternRule, text: string) =>
      confirm ? [...text.matchAll(find)].some((match) => confirm(match)) : find.test(text);
    const slow = (text: string) => PATTERN_RULES.find((rule: PatternRule) => fires(rule, text))?.id;
    for (const { text } of [...leaks, ...benign]) {
      const head = text.slice(0, 4096);
      expect(findPattern(text)).toBe(slow(head) ?? slow(unescapeText(head).slice(0, 8192)));
    }
  });
});

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

describe("remembering texts that passed", () => {
  it("gives the same answer the second time, also after many other texts", () => {
    expect(findPattern("No such channel.")).toBe(undefined);
    for (let i = 0; i < 600; i++) expect(findPattern(`No such channel as number ${i % 90}.`)).toBe(undefined);
    expect(findPattern("No such channel.")).toBe(undefined);
    expect(findPattern("open /etc/passwd")).toBe("path.posix");
    expect(findPattern("open /etc/passwd")).toBe("path.posix");
  });

  it("does not remember a text that passed only because a group was allowed", () => {
    expect(findPattern("open /etc/shadow", { allow: ["path"] })).toBe(undefined);
    expect(findPattern("open /etc/shadow")).toBe("path.posix");
  });

  it("does not remember a text that passed only because it repeats its caller", () => {
    expect(findPattern("No file at /etc/motd", { callerTexts: ["/etc/motd"] })).toBe(undefined);
    expect(findPattern("No file at /etc/motd")).toBe("path.posix");
    expect(findPattern("No file at /etc/motd", { callerTexts: ["/etc/mot"] })).toBe("path.posix");
  });
});
