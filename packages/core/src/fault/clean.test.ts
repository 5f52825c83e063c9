import { describe, expect, it } from "vitest";
import { createSecretFilter, registerSecrets } from "../safety/secrets.ts";
import { cleanAddress, cleanCount, FAULT_MEMBERS } from "./clean.ts";
import { AUTHORS, BACKOFFS, BASES, FAULT_LIMITS, ISSUE_RULES, LAYERS, STOPS } from "./fault.ts";

const {
  params: { clean: cleanParams },
  recourse: { clean: cleanRecourse },
  retry: { clean: cleanRetry },
} = FAULT_MEMBERS;
const SECRET = "hunter2hunter2";
const INNER_PATH = "/srv/data/report.pdf";
const filter = { secrets: createSecretFilter([SECRET]) };
const foreign = { textPolicy: "foreign" } as const;
const word = (length: number) =>
  "wo "
    .repeat(length)
    .slice(0, length - 1)
    .concat("w");

describe("the limits and closed sets", () => {
  it("are those of the contract", () => {
    expect(FAULT_LIMITS).toEqual({
      message: 240,
      quote: 500,
      recourse: 3,
      fields: 10,
      candidates: 10,
      name: 64,
      link: 256,
      params: 20,
      paramText: 200,
      list: 10,
      issues: 20,
      pointer: 200,
      issueText: 120,
      issueMessage: 240,
      issueKeys: 10,
      issueKey: 64,
      limits: 5,
      causes: 3,
    });
    expect(AUTHORS).toEqual(["peer", "thrown", "upstream"]);
    expect(BACKOFFS).toEqual(["fixed", "exponential"]);
    expect(ISSUE_RULES).toEqual([
      "required",
      "type",
      "format",
      "range",
      "length",
      "choice",
      "unknown",
      "duplicate",
      "custom",
    ]);
    expect(LAYERS).toEqual(["client", "transport", "gateway", "server", "upstream"]);
    expect(BASES).toEqual(["stated", "mapped", "guessed"]);
    expect(STOPS).toEqual([
      "attempts",
      "budget",
      "deadline",
      "unsafe",
      "refused",
      "looping",
      "final",
      "guessed",
      "breaker",
      "aborted",
    ]);
  });
});

describe("cleanCount", () => {
  it.each([
    [0, 0],
    [-0, 0],
    [1, 1],
    [0.2, 1],
    [1.5, 2],
    [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
    [Number.MAX_SAFE_INTEGER + 1, Number.MAX_SAFE_INTEGER],
    [Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER],
    [-1, undefined],
    [-0.1, undefined],
    [Number.NaN, undefined],
    ["1", undefined],
    [null, undefined],
    [1n, undefined],
    [[1], undefined],
  ])("makes %s %s", (value, count) => {
    expect(cleanCount(value)).toBe(count);
  });
});

describe("cleanRetry", () => {
  it.each([
    [0, 0],
    [-0, 0],
    [0.999, 0.999],
    [1, undefined],
    [-0.001, undefined],
    [Number.NaN, undefined],
  ])("takes a jitter of %d as %s", (jitter, kept) => {
    expect(cleanRetry({ allowed: true, jitter })?.jitter).toBe(kept);
  });
});

describe("cleanRecourse", () => {
  it.each([
    ["candidates", 64],
    ["tool", 64],
    ["approval", 64],
  ])("drops from %s a name that is longer than %d, since a part of it would be useless", (key, max) => {
    const put = (name: string) => cleanRecourse([{ do: "stop", [key]: key === "candidates" ? [name] : name }]);
    expect(JSON.stringify(put(word(max)))).toContain(word(max));
    expect(put(word(max + 1))).toStrictEqual([{ do: "stop" }]);
  });
  it.each(["candidates", "tool", "approval"])("shows no secret and no path of the machine in %s", (key) => {
    const put = (name: string) => [{ do: "stop", [key]: key === "candidates" ? [name] : name }];
    expect(cleanRecourse(put(SECRET))).toStrictEqual(put(SECRET));
    expect(cleanRecourse(put(SECRET), filter)).toStrictEqual([{ do: "stop" }]);
    expect(cleanRecourse(put(INNER_PATH), foreign)).toStrictEqual([{ do: "stop" }]);
  });
});

describe("cleanParams", () => {
  it("keeps the key of a value that may not be shown", () => {
    expect(
      cleanParams({ a: SECRET, b: [`x${SECRET}`, "ok"], c: Number.NaN, d: "\u200b", e: -0 }, filter),
    ).toStrictEqual({
      a: null,
      b: [null, "ok"],
      c: null,
      d: null,
      e: 0,
    });
  });
  it.each([
    ["a", true],
    ["Z9_", true],
    [`a${"b".repeat(39)}`, true],
    [`a${"b".repeat(40)}`, false],
    ["constructor", true],
    ["", false],
    ["_a", false],
    ["1a", false],
    ["a-b", false],
    ["a b", false],
    ["a\n", false],
    ["__proto__", false],
  ])("takes the key %j: %s", (key, taken) => {
    const value = JSON.parse(`{${JSON.stringify(key)}:1}`) as unknown;
    expect(cleanParams(value)).toStrictEqual(taken ? { [key]: 1 } : undefined);
  });
});

describe("cleanAddress", () => {
  it.each([
    ["https://example.com/a", true],
    ["http://example.com", true],
    ["urn:recourse:core", true],
    ["/docs/core", true],
    ["/", true],
    [`/${"d".repeat(255)}`, true],
    [`/${"d".repeat(256)}`, false],
    ["https://", false],
    ["https://me@example.com", false],
    ["https://example.com/a b", false],
    ["ftp://example.com", false],
    ["xhttps://example.com", false],
    ["urn:", false],
    ["urn:a b", false],
    ["/a b", false],
    ["/a\n", false],
    ["docs", false],
    ["javascript:alert(1)", false],
    ["", false],
    [7, false],
  ])("address %j: %s", (value, taken) => {
    expect(cleanAddress(value)).toBe(taken ? value : undefined);
  });

  it("removes an address that contains a secret", () => {
    const release = registerSecrets("hunter2hunter2");
    expect(cleanAddress("/docs/hunter2hunter2")).toBeUndefined();
    release();
  });
});
