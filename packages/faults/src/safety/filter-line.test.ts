import { describe, expect, it } from "vitest";
import { type FilterOptions, filterLine, filterOf, type LineOptions } from "./filter-line.ts";
import { FOREIGN_TEXT } from "./foreign-text.ts";
import { redactionCounts } from "./redaction-counts.ts";
import { createSecretFilter, registerSecrets } from "./secrets.ts";

const all: LineOptions = { max: 480, rule: FOREIGN_TEXT.ruleForQuote };
const exact: LineOptions = { max: 480 };

function countedBy(text: string, line: LineOptions, options?: FilterOptions): readonly string[] {
  const before = redactionCounts();
  expect(filterLine(text, line, options)).toBe(undefined);
  return Object.entries(redactionCounts()).flatMap(([rule, count]) =>
    count === (before[rule] ?? 0) + 1 ? [rule] : [],
  );
}

describe("filterLine", () => {
  it("returns a harmless text as one line within the limit", () => {
    expect(filterLine("No such\nchannel.", all)).toBe("No such channel.");
    expect(filterLine("No such channel.", { ...all, max: 8 })).toBe("No such…");
  });

  it("removes a text if only the finished line contains a secret", () => {
    const secrets = createSecretFilter(["correct horse battery"]);
    expect(countedBy("correct\nhorse battery", exact, { secrets })).toStrictEqual(["secret"]);
  });

  it("removes a text with a secret of the request or of the process, and counts it", () => {
    const secrets = createSecretFilter(["plain-words-secret"]);
    expect(countedBy("it was plain-words-secret", exact, { secrets })).toStrictEqual(["secret"]);
    const undo = registerSecrets("other-words-secret");
    expect(countedBy("it was other-words-secret", exact)).toStrictEqual(["secret"]);
    undo();
    expect(filterLine("it was other-words-secret", exact)).toBe("it was other-words-secret");
  });

  it("applies patterns only if asked to, and not those of allowed groups", () => {
    expect(countedBy("open /etc/passwd", all)).toStrictEqual(["path.posix"]);
    expect(filterLine("open /etc/passwd", exact)).toBe("open /etc/passwd");
    expect(filterLine("open /etc/passwd", all, { allow: ["path"] })).toBe("open /etc/passwd");
  });

  it("removes a text whose padding could show the end of the window", () => {
    const padded = `${"\u200b".repeat(4000)}${"x".repeat(200)}`;
    expect(countedBy(padded, exact)).toStrictEqual(["hostile.padding"]);
    const half = (length: number) => "x".repeat(length).padEnd(4097, "\u200b");
    expect(countedBy(half(2047), exact)).toStrictEqual(["hostile.padding"]);
    expect(filterLine(half(2048), exact)).toBe(`${"x".repeat(479)}…`);
    expect(filterLine("x ".repeat(3000), exact)).toBe(`${"x ".repeat(239)}x…`);
  });

  it("does not count a text that may be shown", () => {
    const before = redactionCounts();
    filterLine("fine", all);
    expect(redactionCounts()).toStrictEqual(before);
  });
});

it("takes the options of the filters, and no others", () => {
  const filter: FilterOptions = {
    secrets: createSecretFilter(["plain-words-secret"]),
    allow: ["path"],
    callerTexts: ["/etc/motd"],
    textPolicy: FOREIGN_TEXT,
  };
  const more = { ...filter, max: 480 };
  expect(filterOf(more)).toStrictEqual(filter);
});
