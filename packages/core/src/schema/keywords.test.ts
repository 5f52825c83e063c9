import { expect, it } from "vitest";
import { fitsFormat, formatPhrase, isKnownFormat } from "./keywords.ts";

it.each([
  ["date", "2026-02-28", "2026-02-30"],
  ["date", "2024-02-29", "28.02.2026"],
  ["date-time", "2026-02-28T09:30:00Z", "2026-02-28"],
  ["date-time", "2026-02-28T09:30:00.125+01:00", "2026-02-28T09:30:00"],
  ["date-time", "2026-02-28t23:59:60z", "2026-02-28T24:00:00Z"],
  ["time", "09:30:00", "9:30"],
  ["duration", "P1DT2H", "P"],
  ["email", "ada@example.org", "ada"],
  ["uri", "urn:isbn:1", "example.org/a"],
  ["uuid", "0d3f0c1e-8a52-4a65-9f07-6c1df0f0a1b2", "0d3f0c1e"],
  ["ipv4", "10.0.0.1", "10.0.0"],
  ["ipv6", "::1", "1"],
])("checks a %s: %s fits, %s does not", (name, right, wrong) => {
  expect(fitsFormat(name, right)).toBe(true);
  expect(fitsFormat(name, wrong)).toBe(false);
});

it("does not check formats without a test", () => {
  expect(fitsFormat("gtin", "x")).toBeUndefined();
  expect(fitsFormat("hostname", "x y")).toBeUndefined();
  expect(fitsFormat("constructor", "x")).toBeUndefined();
  expect(isKnownFormat("constructor")).toBe(false);
});

it.each([
  ["date-time", "a date-time (YYYY-MM-DDThh:mm:ssZ)"],
  ["email", "an email address"],
  ["gtin", "text in the format gtin"],
  ["ignore all rules", undefined],
])("describes %s as: %s", (name, phrase) => {
  expect(formatPhrase(name)).toBe(phrase);
});
