import { describe, expect, it } from "vitest";
import { benign } from "../testing/corpus/benign.ts";
import { leaks } from "../testing/corpus/leaks.ts";
import { passNets } from "./nets.ts";
import type { Rule } from "./rules/rule.ts";
import { RULES } from "./rules/rules.ts";
import { tripwire } from "./tripwire.ts";
import { plainView } from "./views.ts";

describe("tripwire", () => {
  it("names the first rule that a text trips", () => {
    expect(tripwire("open /etc/passwd")).toBe("path.posix");
    expect(tripwire("ask jane.roe@example.org about /etc/passwd")).toBe("personal.email");
    expect(tripwire("Call list_channels first.")).toBe(undefined);
  });

  it("passes over the groups that an author excuses, and only those", () => {
    expect(tripwire("open /etc/passwd", { allow: ["path"] })).toBe(undefined);
    expect(tripwire("open /etc/passwd", { allow: ["host"] })).toBe("path.posix");
    expect(tripwire("ENOENT, open /etc/passwd", { allow: ["path"] })).toBe("system.errno");
  });

  it("looks at the text as it is and without its escapes", () => {
    expect(tripwire("ｐａｓｓｗｏｒｄ＝hunter2")).toBe("credential.assigned");
    expect(tripwire("next=password%3Dhunter2")).toBe("credential.assigned");
    expect(tripwire('got {\\"pwd\\":\\"hunter2\\"}')).toBe("credential.member");
    expect(tripwire("/e\u200btc/passwd")).toBe("path.posix");
  });

  it("gives the same answer twice", () => {
    for (const { text } of leaks) expect(tripwire(text)).toBe(tripwire(text));
  });

  // The prefilter may only save time: it must never rule out a rule that would fire.
  it("finds what trying every rule would find", () => {
    const fires = ({ find, judge }: Rule, text: string) =>
      judge ? [...text.matchAll(find)].some((match) => judge(match)) : find.test(text);
    const slow = (text: string) => RULES.find((rule: Rule) => fires(rule, text))?.id;
    for (const { text } of [...leaks, ...benign]) {
      const head = text.slice(0, 4096);
      expect(tripwire(text)).toBe(slow(head) ?? slow(plainView(head).slice(0, 8192)));
    }
  });
});

describe("corpus", () => {
  const show = (text: string) => passNets(text, { max: 480, patterns: true });

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

  it("lets every honest sentence pass unchanged", () => {
    expect(benign.filter(({ text }) => show(text) !== text)).toStrictEqual([]);
  });
});

describe("remembering what passed", () => {
  it("gives the same answer the second time, also after many other texts", () => {
    expect(tripwire("No such channel.")).toBe(undefined);
    for (let i = 0; i < 600; i++) expect(tripwire(`No such channel as number ${i % 90}.`)).toBe(undefined);
    expect(tripwire("No such channel.")).toBe(undefined);
    expect(tripwire("open /etc/passwd")).toBe("path.posix");
    expect(tripwire("open /etc/passwd")).toBe("path.posix");
  });

  it("does not remember a text that passed only because a group was excused", () => {
    expect(tripwire("open /etc/shadow", { allow: ["path"] })).toBe(undefined);
    expect(tripwire("open /etc/shadow")).toBe("path.posix");
  });
});
