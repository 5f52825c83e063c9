import { describe, expect, it } from "vitest";
import { parseField, parseHttpDate, serializeItem } from "./header-values.ts";

describe("reading structured fields", () => {
  it.each([
    ['"burst";r=0;t=30', [{ value: "burst", params: { r: 0, t: 30 } }]],
    [
      ' "a" ; q=1 ,\t"b";q=2 ',
      [
        { value: "a", params: { q: 1 } },
        { value: "b", params: { q: 2 } },
      ],
    ],
    ['"say \\"no\\" \\\\";q=1', [{ value: 'say "no" \\', params: { q: 1 } }]],
    ["default;r=50", [{ value: "default", params: { r: 50 } }]],
    [
      "100, 100;w=60",
      [
        { value: 100, params: {} },
        { value: 100, params: { w: 60 } },
      ],
    ],
    [
      "limit=100, reset=30",
      [
        { key: "limit", value: 100, params: {} },
        { key: "reset", value: 30, params: {} },
      ],
    ],
    ['"p";pk=:YQ==:;on;off=?0;x=-1.5', [{ value: "p", params: { pk: "YQ==", on: true, off: false, x: -1.5 } }]],
  ])("%s", (field, items) => {
    expect(parseField(field)).toEqual(items);
  });

  it.each([
    undefined,
    "",
    '"open',
    '"a";',
    '"a";R=1',
    '"a";r=',
    '"a",',
    ',"a"',
    '"a" "b"',
    '"é"',
    "1234567890123456",
    "1.2345",
    "1.2.3",
    "(1 2)",
    "@1659578233",
    '"a\\x"',
  ])("%s has no members", (field) => {
    expect(parseField(field)).toEqual([]);
  });

  it("ignores a field that is too long, and reads at most fifty members", () => {
    expect(parseField(`"${"a".repeat(4_096)}"`)).toEqual([]);
    expect(parseField(Array.from({ length: 60 }, () => "1").join(","))).toHaveLength(50);
  });
});

describe("writing structured fields", () => {
  it("quotes names, and leaves out undefined parameters", () => {
    expect(serializeItem('a "b" \\', { q: 1, w: undefined })).toBe('"a \\"b\\" \\\\";q=1');
    expect(serializeItem("a", { q: 1, qu: "content-bytes", w: 60 })).toBe('"a";q=1;qu="content-bytes";w=60');
  });

  it("writes at most fifteen digits, and only printable ASCII", () => {
    expect(serializeItem("a", { q: Number.MAX_SAFE_INTEGER, qu: "größe" })).toBe('"a";q=999999999999999');
  });

  it("writes what it reads", () => {
    const [item] = parseField(serializeItem('x"y', { q: 5, qu: "u" }));
    expect(item).toEqual({ value: 'x"y', params: { q: 5, qu: "u" } });
  });
});

const TIME = Date.UTC(2026, 9, 21, 7, 28, 0);

it.each([["Wed, 21 Oct 2026 07:28:00 GMT"], ["  Wed, 21 Oct 2026 07:28:00 GMT "]])("reads %s", (text) => {
  expect(parseHttpDate(text)).toBe(TIME);
});

it("reads a leap second", () => {
  expect(parseHttpDate("Sat, 31 Dec 2016 23:59:60 GMT")).toBe(Date.UTC(2017, 0, 1));
});

it.each([
  undefined,
  "",
  "120",
  "2026-10-21T07:28:00Z",
  "21 Oct 2026 07:28:00 GMT",
  "Wed, 21 Oct 2026 07:28:00 UTC",
  "Wed, 21 Oct 2026 07:28:00 +0000",
  "Wed, 21 Okt 2026 07:28:00 GMT",
  "Wed, 21 Oct 26 07:28:00 GMT",
  "Wednesday, 21-Oct-26 07:28:00 GMT",
  "Wed Oct 21 07:28:00 2026",
  "Wed, 32 Oct 2026 07:28:00 GMT",
  "Mon, 31 Feb 2026 07:28:00 GMT",
  "Wed, 21 Oct 2026 24:00:00 GMT",
  "Wed, 21 Oct 2026 07:60:00 GMT",
  "Wed, 21 Oct 2026 07:28:61 GMT",
  `Wed, 21 Oct 2026 07:28:00 GMT${" ".repeat(64)}`,
])("%s is not a date", (text) => {
  expect(parseHttpDate(text)).toBeUndefined();
});
