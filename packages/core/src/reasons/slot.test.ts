import fc from "fast-check";
import { afterEach, describe, expect, expectTypeOf, it } from "vitest";
import type { Param } from "../fault/fault.ts";
import { createSecretFilter, registerSecrets } from "../safety/secrets.ts";
import type { FilterOptions } from "../safety/show-line.ts";
import * as slot from "./slot.ts";
import { formatDuration, WITHHELD_VALUE } from "./template.ts";
import type { AnySlot, Slot, SlotValue } from "./types.ts";

const KEY = "-----BEGIN PRIVATE KEY-----";

const ID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const UUID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const gtin = slot.pattern(/\d{8}|\d{12,14}/, { bare: true });
const OTHER_TYPES = [undefined, null, 1n, Symbol("s"), () => "x", {}, [], ["12345678"], { toString: () => "12345678" }];

const read = (of: AnySlot, value: unknown, filter: FilterOptions = {}): Param => of.read(value, filter);
const segments = (count: number, length: number) => `/${"a".repeat(length)}`.repeat(count);

let undo: (() => void) | undefined;
afterEach(() => undo?.());

it("a hidden value is shown as one constant", () => {
  expect(WITHHELD_VALUE).toBe("(withheld)");
});

interface Row {
  readonly type: string;
  readonly slot: AnySlot;
  readonly takes: readonly unknown[];
  readonly refuses: readonly unknown[];
}

const ROWS: readonly Row[] = [
  {
    type: "text like \\d{8}|\\d{12,14}",
    slot: gtin,
    takes: ["12345678", "123456789012", "1234567890123", "12345678901234"],
    refuses: ["", "1234567", "123456789012345", "1234567a", " 12345678", "12345678\n", "١٢٣٤٥٦٧٨", 12345678],
  },
  {
    type: "uuid",
    slot: slot.uuid,
    takes: [UUID, UUID.toUpperCase(), "00000000-0000-0000-0000-000000000000"],
    refuses: [
      "",
      UUID.slice(1),
      `${UUID}0`,
      `{${UUID}}`,
      UUID.replaceAll("-", ""),
      UUID.replace("f", "g"),
      `${UUID}\n`,
      1,
    ],
  },
  {
    type: "integer",
    slot: slot.integer,
    takes: [0, -1, 42, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
    refuses: [0.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN, Number.POSITIVE_INFINITY, "1", true],
  },
  {
    type: "number",
    slot: slot.number,
    takes: [0, -0.5, 1.25, 1e300],
    refuses: [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, "1.5", true],
  },
  {
    type: "duration",
    slot: slot.duration,
    takes: [0, 0.5, 1_000, Number.MAX_SAFE_INTEGER],
    refuses: [-1, -0.001, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, "5", true],
  },
  { type: "boolean", slot: slot.boolean, takes: [true, false], refuses: [0, 1, "true", ""] },
  {
    type: "date",
    slot: slot.date,
    takes: [
      "2026-11-14",
      "2026-11-14T09:30",
      "2026-11-14T09:30:00",
      "2026-11-14T09:30:00Z",
      "2026-11-14T09:30Z",
      "2026-11-14T09:30:00.1Z",
      "2026-11-14T09:30:00.123456789+02:00",
      "2026-11-14T09:30-05:00",
    ],
    refuses: [
      "",
      "2026-11",
      "26-11-14",
      "2026-11-14 09:30",
      "2026-11-14T09",
      "2026-11-14T09:30:00.Z",
      "2026-11-14T09:30:00.1234567890Z",
      "2026-11-14T09:30:00+02",
      "2026-11-14x",
      20261114,
    ],
  },
  {
    type: "pointer",
    slot: slot.pointer,
    takes: [
      "",
      "/",
      "/a",
      "/a/0/b_c",
      "/a~1b/$ref/x.y-z",
      segments(1, 64),
      segments(16, 1),
      segments(3, 64) + segments(1, 4),
    ],
    refuses: ["a", "#/a", "/a b", "/ä", "x/a", segments(1, 65), segments(17, 1), segments(3, 64) + segments(1, 5), 0],
  },
  {
    type: "id",
    slot: slot.id,
    takes: [ID, "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"],
    refuses: [
      "",
      ID.slice(1),
      `${ID}0`,
      `8${ID.slice(1)}`,
      ID.toLowerCase(),
      ID.replace("A", "I"),
      ID.replace("A", "U"),
      1,
    ],
  },
  {
    type: "method",
    slot: slot.method,
    takes: [
      "ping",
      "a",
      "tools/call",
      "$/cancel",
      "notifications/tools/list_changed",
      "a/b/c/d",
      "a".repeat(32),
      `${"a".repeat(32)}/${"b".repeat(31)}`,
    ],
    refuses: [
      "",
      "Tools/call",
      "_x",
      "tools/",
      "/call",
      "tools//call",
      "tools/call2",
      "tools call",
      "a/b/c/d/e",
      "a".repeat(33),
      `a/${"b".repeat(32)}`,
      `${"a".repeat(31)}/${"b".repeat(31)}/cc`,
      " ping",
      "ping ",
      1,
    ],
  },
  {
    type: "media",
    slot: slot.media,
    takes: [
      "a/b",
      "application/json",
      "application/vnd.api+json",
      `${"a".repeat(61)}/${"b".repeat(61)}`,
      "3/x!#$&^_.+-",
    ],
    refuses: [
      "",
      "application",
      "/json",
      "a/",
      "a/b/c",
      ".a/b",
      "a/.b",
      "text/plain; charset=utf-8",
      "text/ plain",
      `${"a".repeat(62)}/b`,
      `a/${"b".repeat(62)}`,
      " a/b",
      "a/b ",
      1,
    ],
  },
  {
    type: "uri",
    slot: slot.uri,
    takes: [
      "urn:isbn:1234567890",
      "https://example.com/a?page=2&sort=name#top",
      "file:///srv/a@b",
      "https://example.com/@scope/pkg",
      "https://example.com/token/list?x=token",
      "jsr:@std/path",
      "a:!~",
      `${"a".repeat(32)}:${"b".repeat(167)}`,
    ],
    refuses: [
      "",
      "example.com",
      "a:",
      "1http://example.com",
      "https://example.com/a b",
      "https://example.com/ä",
      `${"a".repeat(33)}:b`,
      `a:${"b".repeat(199)}`,
      " a:b",
      "a:b\n",
      "https://user:pw@example.com/",
      "https://user@example.com",
      "custom://@example.com",
      `x://${"u".repeat(190)}@h`,
      "https:user:pw@example.com/",
      "https:/user@example.com/",
      "https:\\\\user:pw@example.com/",
      "wss:user@example.com",
      "ws:user@example.com",
      "http:user@example.com",
      "ftp:user@example.com",
      "HTTPS:user@example.com",
      "https://example.com/?access_token=1",
      "https://example.com/?a=1&api_key=1",
      "https://example.com/?a=1;secret=1",
      "https://example.com/#id_token=1",
      "https://example.com/?X-Amz-Signature=1",
      "https://example.com/?passwd=1",
      "https://example.com/?pwd=1",
      "https://example.com/?author=1",
      "https://example.com/?credentials=1",
      "https://example.com/a;jsessionid=1",
      "https://example.com/?TOKEN=1",
      `https://example.com/?${"a".repeat(40)}token${"b".repeat(40)}=1`,
      1,
    ],
  },
];

describe.each(ROWS)("$type", ({ type, slot: of, takes, refuses }) => {
  it("has its name and is not optional", () => {
    expect(of.type).toBe(type);
    expect(of.optional).toBe(false);
  });

  it.each(takes.map((value) => [value]))("takes %j as it is", (value) => {
    expect(read(of, value)).toBe(value);
  });

  it.each([...refuses, ...OTHER_TYPES].map((value) => [value]))("refuses %s", (value) => {
    expect(read(of, value)).toBeNull();
  });
});

describe("a value in a sentence", () => {
  it.each<[string, AnySlot, Param, string]>([
    ["pattern", slot.pattern(/[A-Z]{2}-\d+/), "AB-12", '"AB-12"'],
    ["bare pattern", gtin, "12345678", "12345678"],
    ["uuid", slot.uuid, UUID, UUID],
    ["integer", slot.integer, -3, "-3"],
    ["number", slot.number, 1.5, "1.5"],
    ["duration", slot.duration, 90_000, "90 seconds"],
    ["boolean", slot.boolean, false, "false"],
    ["date", slot.date, "2026-11-14", "2026-11-14"],
    ["pointer", slot.pointer, "/a/b", '"/a/b"'],
    ["pointer to the whole", slot.pointer, "", '""'],
    ["id", slot.id, ID, ID],
    ["method", slot.method, "tools/call", '"tools/call"'],
    ["media", slot.media, "text/plain", '"text/plain"'],
    ["uri", slot.uri, "a:b", '"a:b"'],
    ["oneOf", slot.oneOf(["red", "green"]), "red", "red"],
    ["text", slot.text(20), 'the "best" one', "\"the 'best' one\""],
    ["empty text", slot.text(20), "", '""'],
    ["list of text", slot.list(slot.text(20)), ["one", "two"], '"one", "two"'],
    ["list of pattern", slot.list(gtin), ["12345678", "87654321"], "12345678, 87654321"],
    ["list with a hidden value", slot.list(slot.text(20)), ["one", null, "two"], '"one", "two"'],
    ["empty list", slot.list(slot.text(20)), [], ""],
    ["optional", slot.optional(slot.method), "ping", '"ping"'],
  ])("%s", (_, of, param, shown) => {
    expect(of.show(param as Exclude<Param, null>)).toBe(shown);
  });
});

describe("oneOf", () => {
  const color = slot.oneOf(["red", "dark green"]);

  it("takes members only", () => {
    expect(read(color, "red")).toBe("red");
    expect(read(color, "dark green")).toBe("dark green");
    for (const value of ["", "Red", "red ", "green", "constructor", ["red"], ...OTHER_TYPES]) {
      expect(read(color, value)).toBeNull();
    }
  });

  it("has the members as its value type", () => {
    expectTypeOf<SlotValue<typeof color>>().toEqualTypeOf<"red" | "dark green">();
  });
});

describe("pattern", () => {
  it("matches the whole value, with or without anchors", () => {
    for (const of of [slot.pattern(/a|bc/), slot.pattern(/^a|bc$/), slot.pattern(/^(?:a|bc)$/)]) {
      expect(read(of, "a")).toBe("a");
      expect(read(of, "bc")).toBe("bc");
      for (const value of ["", "ab", "abc", "xa", "bcx", "a\n", "\na", "a\nbc"]) expect(read(of, value)).toBeNull();
    }
  });

  it("keeps the flags that change what matches, and no others", () => {
    expect(read(slot.pattern(/abc/i), "ABC")).toBe("ABC");
    expect(read(slot.pattern(/\p{Lu}/u), "É")).toBe("É");
    const sticky = slot.pattern(/abc/gy);
    expect([read(sticky, "abc"), read(sticky, "abc")]).toEqual(["abc", "abc"]);
    expect(read(slot.pattern(/^abc$/m), "x\nabc")).toBeNull();
  });

  it("understands groups and references to them", () => {
    expect(read(slot.pattern(/(?<first>[a-z])\1-\k<first>/), "aa-a")).toBe("aa-a");
    expect(read(slot.pattern(/(?<first>[a-z])\1-\k<first>/), "aa-b")).toBeNull();
  });

  it("takes at most 64 characters, another number on request, and never more than 200", () => {
    const at = (length: number, max?: number) =>
      read(slot.pattern(/a*/, max === undefined ? {} : { max }), "a".repeat(length));
    expect([at(64), at(65)]).toEqual(["a".repeat(64), null]);
    expect([at(10, 10), at(11, 10)]).toEqual(["a".repeat(10), null]);
    expect([at(200, 1_000), at(201, 1_000)]).toEqual(["a".repeat(200), null]);
  });

  it("refuses what is not one printable line, even if the pattern matches", () => {
    for (const value of ["two\nlines", "tab\there", "in\u200bvisible", " blank "])
      expect(read(slot.pattern(/.*/s), value)).toBeNull();
  });
});

describe("text", () => {
  it("names its limit, never above 200", () => {
    expect(slot.text(64).type).toBe("text up to 64");
    expect(slot.text(200).type).toBe("text up to 200");
    expect(slot.text(201).type).toBe("text up to 200");
    expect(slot.text(5).optional).toBe(false);
  });

  it("cuts at its limit with an ellipsis", () => {
    expect(read(slot.text(9), "nine char")).toBe("nine char");
    expect(read(slot.text(9), "ten chars.")).toBe("ten char…");
    const long = "word ".repeat(50).trim();
    expect(read(slot.text(1_000), long)).toBe(`${long.slice(0, 199).trimEnd()}…`);
  });

  it("makes one printable line", () => {
    expect(read(slot.text(40), " two\n\tlines\u200b ")).toBe("two lines");
  });

  it("keeps an empty text, and refuses a blank one and a limit of zero", () => {
    expect(read(slot.text(40), "")).toBe("");
    expect(read(slot.text(40), " \n ")).toBeNull();
    expect(read(slot.text(0), "word")).toBeNull();
  });

  it.each([...OTHER_TYPES, 5, true].map((value) => [value]))("refuses %s", (value) => {
    expect(read(slot.text(40), value)).toBeNull();
  });

  it("shows what its author chose, except for credentials, unless their group is allowed", () => {
    expect(read(slot.text(40), "/srv/data/report.pdf")).toBe("/srv/data/report.pdf");
    expect(read(slot.text(40), KEY)).toBeNull();
    expect(read(slot.text(40), KEY, { allow: ["credential"] })).toBe(KEY);
    expect(read(slot.text(40), KEY, { allow: ["path"] })).toBeNull();
  });

  it("passes the full filter if its author took the value over from another program", () => {
    expect(read(slot.text(40), "/srv/data/report.pdf", { textPolicy: "foreign" })).toBeNull();
    expect(read(slot.text(40), "/srv/data/report.pdf", { textPolicy: "foreign", allow: ["path"] })).toBe(
      "/srv/data/report.pdf",
    );
  });
});

describe("list", () => {
  const names = slot.list(slot.text(20));

  it("reads each value through its slot and freezes them", () => {
    const params = read(names, ["one", 2, "", KEY, "five"]);
    expect(params).toEqual(["one", null, "", null, "five"]);
    expect(Object.isFrozen(params)).toBe(true);
  });

  it("keeps the first ten", () => {
    const eleven = Array.from({ length: 11 }, (_, index) => index);
    expect(read(slot.list(slot.integer), eleven.slice(0, 10))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(read(slot.list(slot.integer), eleven)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it.each(["one", undefined, null, { length: 1, 0: "one" }, new Set(["one"])].map((value) => [value]))(
    "refuses %s",
    (value) => {
      expect(read(names, value)).toBeNull();
    },
  );

  it("passes the filter options on", () => {
    expect(read(slot.list(slot.text(40)), [KEY], { allow: ["credential"] })).toEqual([KEY]);
  });
});

describe("optional", () => {
  it("is the same slot, but may be missing", () => {
    const maybe = slot.optional(gtin);
    expect(maybe).toEqual({ ...gtin, optional: true });
    expectTypeOf(maybe).toEqualTypeOf<Slot<string, true>>();
    expect(read(maybe, "12345678")).toBe("12345678");
    expect(read(maybe, "x")).toBeNull();
  });
});

describe("known secrets", () => {
  const CASES: [string, AnySlot, string][] = [
    ["pattern", gtin, "12345678901234"],
    ["uuid", slot.uuid, UUID],
    ["date", slot.date, "2026-11-14T09:30:00Z"],
    ["pointer", slot.pointer, "/config/hunter2hunter2"],
    ["id", slot.id, ID],
    ["method", slot.method, "secretive/method"],
    ["media", slot.media, "application/hunter2hunter2"],
    ["uri", slot.uri, "https://example.com/hunter2hunter2"],
    ["text", slot.text(64), "hunter2hunter2"],
  ];
  const PART: Record<string, string> = {
    pattern: "3456789012",
    uuid: "d9cb-469f",
    date: "2026-11-14T09:30",
    id: "NDEKTSV4RRFF",
    method: "ive/method",
  };

  it.each(CASES)("of the process are not shown by %s", (name, of, value) => {
    const kept = read(of, value);
    undo = registerSecrets(PART[name] ?? "hunter2hunter2");
    expect(read(of, value)).toBeNull();
    undo();
    expect(read(of, value)).toBe(kept);
    expect(kept).toBe(value);
  });

  it("in a list hide only that value", () => {
    const secrets = createSecretFilter(["hunter2hunter2"]);
    expect(read(slot.list(slot.text(20)), ["one", "hunter2hunter2"], { secrets })).toEqual(["one", null]);
  });
});

describe("formatDuration", () => {
  it.each([
    [0, "0 ms"],
    [999, "999 ms"],
    [1_000, "1 second"],
    [1_001, "1.1 seconds"],
    [1_050, "1.1 seconds"],
    [1_500, "1.5 seconds"],
    [59_999, "60 seconds"],
    [60_000, "1 minute"],
    [90_000, "90 seconds"],
    [120_000, "2 minutes"],
    [150_000, "2.5 minutes"],
    [3_600_000, "1 hour"],
    [5_400_000, "90 minutes"],
    [7_200_000, "2 hours"],
    [86_400_000, "1 day"],
    [129_600_000, "36 hours"],
    [172_800_000, "2 days"],
  ])("%d ms is %s", (ms, shown) => {
    expect(formatDuration(ms)).toBe(shown);
  });

  it("never shows less time than there is, nor much more", () => {
    const unitMs = { ms: 1, second: 1_000, minute: 60_000, hour: 3_600_000, day: 86_400_000 };
    fc.assert(
      fc.property(fc.nat(1_000_000_000), (ms) => {
        const [number = "", unit = ""] = formatDuration(ms).split(" ");
        const shown = Number(number) * unitMs[(unit === "ms" ? unit : unit.replace(/s$/, "")) as keyof typeof unitMs];
        // One number of a double with one decimal may differ in its last bit.
        expect(shown + 1e-3).toBeGreaterThanOrEqual(ms);
        expect(shown).toBeLessThanOrEqual(ms * 1.1 + 1);
      }),
    );
  });
});
