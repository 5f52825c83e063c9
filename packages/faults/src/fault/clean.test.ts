import { describe, expect, it } from "vitest";
import { createSecretFilter, registerSecrets } from "../safety/secrets.ts";
import {
  cleanAddress,
  cleanBasis,
  cleanCount,
  cleanEffect,
  cleanIssues,
  cleanLimits,
  cleanName,
  cleanOrigin,
  cleanParams,
  cleanQuote,
  cleanRecourse,
  cleanRetry,
  cleanText,
  cleanTried,
  pack,
} from "./clean.ts";
import { AUTHORS, BACKOFFS, BASES, FAULT_LIMITS, ISSUE_RULES, LAYERS, STOPS } from "./fault.ts";
import { EFFECTS, MOVES } from "./kinds.ts";

const SECRET = "hunter2hunter2";
const INNER_PATH = "/srv/data/report.pdf";
const filter = { secrets: createSecretFilter([SECRET]) };
const foreign = { textPolicy: "foreign" } as const;
const word = (length: number) =>
  "wo "
    .repeat(length)
    .slice(0, length - 1)
    .concat("w");

function revoked(target: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}
const throwing = (key: string) =>
  Object.defineProperty({}, key, {
    enumerable: true,
    get() {
      throw new Error("no");
    },
  });
const NO_OBJECTS = [undefined, null, 0, "text", true, [], [{}], Symbol("x"), () => 0, revoked({}), revoked([])];

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

describe("cleanText and cleanName", () => {
  it.each([cleanText, cleanName])("make one printable line", (clean) => {
    expect(clean(" one\n\ttwo ", 64)).toBe("one two");
  });
  it.each([cleanText, cleanName])("cut beyond the limit", (clean) => {
    expect(clean(word(10), 10)).toBe(word(10));
    expect(clean("abcdefghijk", 10)).toBe("abcdefghi…");
  });
  it.each([cleanText, cleanName])("return undefined for an empty text and for other values", (clean) => {
    for (const value of ["", " \n", "\u200b", 7, null, undefined, ["a"], {}]) expect(clean(value, 10)).toBeUndefined();
  });
  it.each([cleanText, cleanName])("remove a secret of the request or of the process", (clean) => {
    expect(clean(`is ${SECRET}`, 64)).toBe(`is ${SECRET}`);
    expect(clean(`is ${SECRET}`, 64, filter)).toBe("is [removed]");
    expect(clean(SECRET, 64, filter)).toBeUndefined();
    const release = registerSecrets(SECRET);
    expect(clean(`is ${SECRET}`, 64)).toBe("is [removed]");
    release();
  });
  it("differ in the pattern rules, whose groups can be allowed", () => {
    expect(cleanText(INNER_PATH, 64)).toBe(INNER_PATH);
    expect(cleanText(INNER_PATH, 64, foreign)).toBeUndefined();
    expect(cleanText(INNER_PATH, 64, { ...foreign, allow: ["path"] })).toBe(INNER_PATH);
    expect(cleanText(INNER_PATH, 64, { ...foreign, allow: [] })).toBeUndefined();
    expect(cleanName(INNER_PATH, 64, foreign)).toBe(INNER_PATH);
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

describe("cleanEffect and cleanBasis", () => {
  it("take only their own words", () => {
    for (const effect of EFFECTS) expect(cleanEffect(effect, "none")).toBe(effect);
    for (const basis of BASES) expect(cleanBasis(basis)).toBe(basis);
    for (const value of ["", "None", "stated ", 0, null, ["none"]]) {
      expect(cleanEffect(value, "none")).toBe("possible");
      expect(cleanBasis(value)).toBe("guessed");
    }
  });
  it("have a default", () => {
    for (const effect of EFFECTS) expect(cleanEffect(undefined, effect)).toBe(effect);
    expect(cleanBasis(undefined)).toBe("stated");
  });
});

describe("pack", () => {
  it("drops what is undefined, keeps the order and freezes", () => {
    const packed = pack<{ a?: number; b?: null; c?: string }>({ c: "", a: undefined, b: null });
    expect(packed).toStrictEqual({ c: "", b: null });
    expect(Object.keys(packed)).toEqual(["c", "b"]);
    expect(Object.isFrozen(packed)).toBe(true);
  });
});

describe("cleanQuote", () => {
  it.each(AUTHORS)("takes a quotation from %s", (from) => {
    const quote = cleanQuote({ text: "It\nbroke", from, extra: 1 });
    expect(quote).toStrictEqual({ text: "It broke", from });
    expect(Object.isFrozen(quote)).toBe(true);
  });
  it("returns undefined for other values", () => {
    for (const value of [
      { text: "It broke" },
      { text: "It broke", from: "me" },
      { text: "", from: "peer" },
      { text: 7, from: "peer" },
      { from: "peer" },
      { text: INNER_PATH, from: "peer" },
      ...NO_OBJECTS,
      throwing("text"),
      throwing("from"),
    ])
      expect(cleanQuote(value)).toBeUndefined();
  });
  it("cuts at 500 characters, and cuts secrets out", () => {
    expect(cleanQuote({ text: word(500), from: "peer" })?.text).toBe(word(500));
    expect(cleanQuote({ text: word(501), from: "peer" })?.text).toHaveLength(500);
    expect(cleanQuote({ text: SECRET, from: "peer" }, filter)).toBeUndefined();
    expect(cleanQuote({ text: INNER_PATH, from: "peer" }, { allow: ["path"] })?.text).toBe(INNER_PATH);
  });
});

describe("cleanRetry", () => {
  it("keeps the peer's word", () => {
    const word = { allowed: true, afterMs: 1, maxAttempts: 0, backoff: "fixed", jitter: 0.5 };
    const clean = cleanRetry({ ...word, extra: 1 });
    expect(clean).toStrictEqual(word);
    expect(Object.isFrozen(clean)).toBe(true);
    expect(cleanRetry({ allowed: false, backoff: "exponential" })).toStrictEqual({
      allowed: false,
      backoff: "exponential",
    });
  });
  it("drops what does not fit", () => {
    expect(cleanRetry({ allowed: false, afterMs: -1, maxAttempts: "2", backoff: "linear", jitter: "0" })).toStrictEqual(
      {
        allowed: false,
      },
    );
  });
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
  it("returns undefined for other values", () => {
    for (const value of [{}, { allowed: "true" }, { allowed: 1 }, throwing("allowed"), ...NO_OBJECTS])
      expect(cleanRetry(value)).toBeUndefined();
  });
});

describe("cleanIssues", () => {
  it.each(ISSUE_RULES)("keeps the rule %s", (rule) => {
    expect(cleanIssues([{ pointer: "/a", rule }])).toStrictEqual([{ pointer: "/a", rule }]);
  });
  it("keeps what fits and drops the rest", () => {
    const value = [
      { pointer: "/a", rule: "type", expected: "a whole number", suggestion: "limit", received: SECRET },
      { pointer: 7, rule: "newer", expected: 7, suggestion: "" },
      "no issue",
      null,
      revoked({}),
      throwing("pointer"),
    ];
    const issues = cleanIssues(value);
    expect(issues).toStrictEqual([
      { pointer: "/a", rule: "type", expected: "a whole number", suggestion: "limit" },
      { pointer: "", rule: "custom" },
    ]);
    expect([issues, ...(issues ?? [])].every(Object.isFrozen)).toBe(true);
  });
  it("keeps twenty, of 120 characters each", () => {
    const issue = { pointer: "/a", rule: "type", expected: word(121), suggestion: word(120) };
    const issues = cleanIssues(Array.from({ length: 21 }, () => issue));
    expect(issues).toHaveLength(20);
    expect(issues?.[0]?.expected).toHaveLength(120);
    expect(issues?.[0]?.suggestion).toBe(word(120));
    expect(cleanIssues(Array.from({ length: 20 }, () => issue))).toHaveLength(20);
  });
  it("shows no secret and no path of the machine", () => {
    const issue = { pointer: `/a/${SECRET}`, rule: "type", expected: `not ${SECRET}`, suggestion: SECRET };
    expect(cleanIssues([issue], filter)).toStrictEqual([{ pointer: "/a", rule: "type", expected: "not [removed]" }]);
    expect(
      cleanIssues([{ pointer: "", rule: "type", expected: INNER_PATH, suggestion: INNER_PATH }], foreign),
    ).toStrictEqual([{ pointer: "", rule: "type" }]);
  });
  it("returns undefined for other values", () => {
    for (const value of [[], ["x"], [[]], ...NO_OBJECTS.filter((value) => typeof value !== "object"), revoked([]), {}])
      expect(cleanIssues(value)).toBeUndefined();
  });
});

describe("cleanLimits", () => {
  const limit = { policy: "burst", unit: "calls", quota: 9, remaining: 0, windowMs: 60000, resetMs: 1, scope: "user" };
  it("keeps every member, and nothing else", () => {
    const limits = cleanLimits([{ ...limit, extra: 1 }]);
    expect(limits).toStrictEqual([limit]);
    expect(Object.isFrozen(limits) && Object.isFrozen(limits?.[0])).toBe(true);
  });
  it.each(Object.keys(limit))("keeps %s alone, and not when it is of the wrong type", (key) => {
    const value = limit[key as keyof typeof limit];
    expect(cleanLimits([{ [key]: value }])).toStrictEqual([{ [key]: value }]);
    expect(cleanLimits([{ [key]: typeof value === "string" ? 7 : "7" }])).toBeUndefined();
  });
  it.each(["policy", "unit", "scope"])("takes %s of 64 characters without secrets or markup", (key) => {
    expect(cleanLimits([{ [key]: word(65) }])?.[0]).toHaveProperty(key, cleanName(word(65), 64));
    expect(cleanLimits([{ [key]: word(64) }])).toStrictEqual([{ [key]: word(64) }]);
    expect(cleanLimits([{ [key]: SECRET }], filter)).toBeUndefined();
    expect(cleanLimits([{ [key]: INNER_PATH }], foreign)).toBeUndefined();
  });
  it("keeps five, and only objects", () => {
    expect(cleanLimits(Array.from({ length: 6 }, () => limit))).toHaveLength(5);
    expect(cleanLimits([{}, null, "x", revoked({}), throwing("quota"), limit])).toBeUndefined();
    expect(cleanLimits([{}, null, "x", throwing("quota"), limit])).toStrictEqual([limit]);
    for (const value of [[], {}, "x", undefined]) expect(cleanLimits(value)).toBeUndefined();
  });
});

describe("cleanRecourse", () => {
  const full = {
    do: "ask_user",
    afterMs: 1,
    fields: ["/a"],
    candidates: ["alpha"],
    tool: "list_users",
    approval: "A1",
    link: "/approvals/1",
  };
  it.each(MOVES)("keeps the move %s", (move) => {
    expect(cleanRecourse([{ do: move }])).toStrictEqual([{ do: move }]);
  });
  it("keeps every member, and nothing else", () => {
    const recourse = cleanRecourse([{ ...full, extra: 1 }]);
    expect(recourse).toStrictEqual([full]);
    const [move] = recourse ?? [];
    expect([recourse, move, move?.fields, move?.candidates].every(Object.isFrozen)).toBe(true);
  });
  it("drops members of the wrong type", () => {
    const wrong = { do: "stop", afterMs: "1", fields: "/a", candidates: {}, tool: 7, approval: [], link: null };
    expect(cleanRecourse([wrong])).toStrictEqual([{ do: "stop" }]);
  });
  it("keeps three, and drops unknown moves among them", () => {
    expect(cleanRecourse([full, full, full, full])).toHaveLength(3);
    expect(cleanRecourse([{ do: "pray" }, { do: 7 }, {}, full])).toBeUndefined();
    expect(cleanRecourse(["stop", null, full])).toStrictEqual([full]);
    expect(cleanRecourse([revoked({}), throwing("do"), full])).toStrictEqual([full]);
    for (const value of [[], {}, "stop", undefined, revoked([])]) expect(cleanRecourse(value)).toBeUndefined();
  });
  it("keeps ten fields and ten candidates", () => {
    const eleven = Array.from({ length: 11 }, (_, index) => `n${index}`);
    const [move] = cleanRecourse([{ do: "stop", fields: eleven.map((name) => `/${name}`), candidates: eleven }]) ?? [];
    expect(move?.candidates).toEqual(eleven.slice(0, 10));
    expect(move?.fields).toEqual(eleven.slice(0, 10).map((name) => `/${name}`));
  });
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
  it("shows no secret in fields", () => {
    expect(cleanRecourse([{ do: "fix_input", fields: [`/a/${SECRET}`] }], filter)).toStrictEqual([
      { do: "fix_input", fields: ["/a"] },
    ]);
  });
});

describe("cleanOrigin", () => {
  it.each(LAYERS)("takes the layer %s", (layer) => {
    expect(cleanOrigin({ layer, name: "gtin-server", extra: 1 })).toStrictEqual({ layer, name: "gtin-server" });
  });
  it("drops a name that is not a string, too long or a secret", () => {
    expect(cleanOrigin({ layer: "server", name: 7 })).toStrictEqual({ layer: "server" });
    expect(cleanOrigin({ layer: "server", name: SECRET }, filter)).toStrictEqual({ layer: "server" });
    expect(cleanOrigin({ layer: "server", name: "x".repeat(65) })?.name).toBe(`${"x".repeat(63)}…`);
    expect(Object.isFrozen(cleanOrigin({ layer: "server" }))).toBe(true);
  });
  it("returns undefined for other values", () => {
    for (const value of [{}, { layer: "moon" }, { layer: 7 }, throwing("layer"), ...NO_OBJECTS])
      expect(cleanOrigin(value)).toBeUndefined();
  });
});

describe("cleanTried", () => {
  it.each(STOPS)("accepts %s as the reason to stop", (stopped) => {
    const tried = cleanTried({ attempts: 3, elapsedMs: 0.5, stopped, extra: 1 });
    expect(tried).toStrictEqual({ attempts: 3, elapsedMs: 1, stopped });
    expect(Object.isFrozen(tried)).toBe(true);
  });
  it("returns undefined for other values", () => {
    for (const value of [
      { elapsedMs: 1, stopped: "refused" },
      { attempts: 1, stopped: "refused" },
      { attempts: 1, elapsedMs: 1 },
      { attempts: 1, elapsedMs: 1, stopped: "bored" },
      throwing("attempts"),
      ...NO_OBJECTS,
    ])
      expect(cleanTried(value)).toBeUndefined();
  });
});

describe("cleanParams", () => {
  it("keeps scalars and lists of them", () => {
    const value = { a: "x", b: 1.5, c: true, d: null, e: [1, "x", false, null], f: "", g: [] };
    const params = cleanParams(value);
    expect(params).toStrictEqual(value);
    expect(Object.isFrozen(params) && Object.isFrozen(params?.["e"])).toBe(true);
  });
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
  it("drops other values, and replaces them by null in a list", () => {
    expect(cleanParams({ a: {}, b: undefined, c: 1n, d: () => 0, e: [{}, [1], undefined, 2] })).toStrictEqual({
      e: [null, null, null, 2],
    });
  });
  it("cuts texts at 200 and lists at ten", () => {
    expect(cleanParams({ a: word(200), b: word(201) })).toStrictEqual({ a: word(200), b: cleanName(word(201), 200) });
    expect(cleanParams({ a: Array.from({ length: 11 }, (_, index) => index) })).toStrictEqual({
      a: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    });
  });
  it("takes twenty keys", () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`k${index}`, index]));
    expect(Object.keys(cleanParams(many) ?? {})).toEqual(Object.keys(many).slice(0, 20));
    expect(Object.keys(cleanParams({ "": 0, "1a": 0, ...many }) ?? {})).toHaveLength(20);
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
  it("returns undefined for other values", () => {
    for (const value of [{}, { a: {} }, throwing("a"), ...NO_OBJECTS]) expect(cleanParams(value)).toBeUndefined();
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

  it("is used for the link of a move", () => {
    expect(cleanRecourse([{ do: "ask_user", link: "https://example.com/approve/1" }])).toStrictEqual([
      { do: "ask_user", link: "https://example.com/approve/1" },
    ]);
    expect(cleanRecourse([{ do: "ask_user", link: "javascript:alert(1)" }])).toStrictEqual([{ do: "ask_user" }]);
  });
});
