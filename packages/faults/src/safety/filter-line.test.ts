import { describe, expect, it, vi } from "vitest";
import { fail } from "../reasons/fail.ts";
import {
  AUTHORED_TEXT,
  countRedaction,
  type FilterOptions,
  filterLine,
  type LineOptions,
  listenForRemovals,
  pickFilterOptions,
  redactionCounts,
} from "./filter-line.ts";
import { FOREIGN_TEXT } from "./pattern-filter.ts";
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
  expect(pickFilterOptions(more)).toStrictEqual(filter);
});

const valueRule = (text: string) => AUTHORED_TEXT.ruleForValue(text, {});

describe("values that an author chose", () => {
  it.each([
    "7f3c1a52-9b1e-4c53-8d9f-0e6f6c0a1b2d",
    "ann@example.com",
    "+49 30 1234567",
    "db-7.prod.internal:5432",
    "/srv/data/2026/report.pdf",
    "C:\\Users\\ann\\report.pdf",
    "https://example.com/orders?page=2&sort=name",
    "DE89 3704 0044 0532 0130 00",
    "arn:aws:s3:::bucket/key",
    "4006381333931",
    "The Lord of the Rings: The Two Towers",
  ])("shows %s", (value) => {
    expect(fail.not_found`No entry ${value}.`.message).toBe(`No entry "${value}".`);
  });

  it.each([
    ["-----BEGIN PRIVATE KEY-----", "credential.key-block"],
    ["postgres://app:hunter2@db.example/orders", expect.stringMatching(/userinfo/)],
  ])("does not show %s", (value, rule) => {
    expect(valueRule(value)).toEqual(rule);
  });

  it("sends what reads like the text of an error through the full filter", () => {
    expect(valueRule("open '/etc/shop/orders.db' failed: permission denied")).toMatch(/^path\./);
    expect(valueRule("the file is missing and cannot be opened")).toBeUndefined();
  });
});

it("hides such a text, and every quotation, where the full filter is not installed", async () => {
  vi.resetModules();
  const fresh = await import("./filter-line.ts");
  const { FOREIGN_TEXT, installTextFilter } = await import("./pattern-filter.ts");
  const sentence = "the file is missing and cannot be opened";
  expect(fresh.AUTHORED_TEXT.ruleForValue("order 7", {})).toBeUndefined();
  expect(fresh.AUTHORED_TEXT.ruleForValue(sentence, {})).toBe("filter.not-installed");
  expect(fresh.AUTHORED_TEXT.ruleForQuote("Taken", {})).toBe("filter.not-installed");
  installTextFilter();
  expect(fresh.AUTHORED_TEXT.ruleForValue(sentence, {})).toBeUndefined();
  expect(fresh.AUTHORED_TEXT.ruleForQuote("Taken", {})).toBeUndefined();
  expect(fresh.AUTHORED_TEXT.ruleForQuote("open /etc/motd", {})).toBe("path.posix");
  expect(FOREIGN_TEXT.ruleForValue("open /etc/motd", {})).toBe("path.posix");
});

it("counts by rule", () => {
  countRedaction("test.first");
  countRedaction("test.first", "a text");
  countRedaction("test.second");
  expect(redactionCounts()).toMatchObject({ "test.first": 2, "test.second": 1 });
});

it("tells the last listener about each text", () => {
  const heard: string[] = [];
  listenForRemovals(() => heard.push("replaced"));
  listenForRemovals((text, rule) => heard.push(`${rule}: ${text}`));
  countRedaction("test.third", "a text");
  countRedaction("test.third");
  expect(heard).toStrictEqual(["test.third: a text"]);
});
