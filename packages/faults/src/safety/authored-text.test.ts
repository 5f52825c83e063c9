import { describe, expect, it, vi } from "vitest";
import { fail } from "../reasons/fail.ts";
import { AUTHORED_TEXT } from "./authored-text.ts";

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
  const fresh = await import("./authored-text.ts");
  const { FOREIGN_TEXT, installTextFilter } = await import("./foreign-text.ts");
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
