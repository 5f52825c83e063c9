import { describe, expect, it, test } from "vitest";
import type { Incident } from "../../api/types.ts";
import {
  actorWords,
  explainPath,
  faultMoves,
  faultWaitMs,
  idTimeMs,
  incidentEffect,
  isDropped,
  moveWords,
  normalizeId,
  readKeptText,
  shortId,
} from "./facts.ts";

const ROW: Incident = {
  id: "01M7K7RE4ST7GE86F8QRXY0849",
  at: "2026-11-16T14:30:33.000Z",
  fingerprint: "7b1d445dcd8e4f02a1b2c3d4e5f60718",
  reason: "transport/connection_lost",
  kind: "unavailable",
};

function withFault(members: object): Incident {
  return { ...ROW, sample: { fault: { kind: "unavailable", reason: "r/r", ...members }, causes: [] } };
}

describe("a text as it was kept", () => {
  test.each([
    ["(not kept)", { state: "dropped" }],
    ["[removed]", { state: "removed" }],
    [" [removed]\n", { state: "removed" }],
    ["plain", { state: "kept", pieces: [{ text: "plain" }] }],
    [
      "key [removed] was used",
      { state: "kept", pieces: [{ text: "key " }, { isRemoved: true }, { text: " was used" }] },
    ],
    [
      "[removed] and [removed]",
      { state: "kept", pieces: [{ isRemoved: true }, { text: " and " }, { isRemoved: true }] },
    ],
    ["it says (not kept)", { state: "kept", pieces: [{ text: "it says (not kept)" }] }],
    ["", { state: "kept", pieces: [] }],
  ])("%j", (text, expected) => {
    expect(readKeptText(text)).toEqual(expected);
  });
});

describe("the effect", () => {
  it("is that of the row", () => {
    expect(incidentEffect({ ...withFault({ effect: "none" }), effect: "applied" })).toBe("applied");
  });
  it("is that of the fault in older rows", () => {
    expect(incidentEffect(withFault({ effect: "possible" }))).toBe("possible");
  });
  test.each([undefined, 7, "toString", "later"])("is not known: %j", (effect) => {
    expect(incidentEffect(withFault({ effect }))).toBeUndefined();
  });
});

describe("next moves", () => {
  it("are read with their codes, waits and tools", () => {
    const recourse = [{ do: "retry", afterMs: 1_500 }, { do: "do_first", tool: "shop__login" }, { do: "stop" }];
    expect(faultMoves(withFault({ recourse }))).toEqual([
      { code: "retry", afterMs: 1_500 },
      { code: "do_first", tool: "shop__login" },
      { code: "stop" },
    ]);
  });
  test.each([["stop"], [null], [[null, 1, { do: 2 }]], [undefined]])("of another form are none: %j", (recourse) => {
    expect(faultMoves(withFault({ recourse }))).toEqual([]);
  });
  it("are at most three", () => {
    expect(faultMoves(withFault({ recourse: Array.from({ length: 9 }, () => ({ do: "stop" })) }))).toHaveLength(3);
  });
  it("have words; unknown ones are their code", () => {
    expect([moveWords("refresh"), moveWords("constructor")]).toEqual(["check the state", "constructor"]);
  });
  it("say how long to wait", () => {
    expect(
      faultWaitMs(withFault({ retry: { allowed: true, afterMs: 30_000 }, recourse: [{ do: "retry", afterMs: 9 }] })),
    ).toBe(30_000);
    expect(faultWaitMs(withFault({ recourse: [{ do: "stop" }, { do: "retry", afterMs: 9 }] }))).toBe(9);
    expect(faultWaitMs(withFault({ retry: { afterMs: -1 } }))).toBeUndefined();
  });
});

it("knows that texts were dropped", () => {
  const sample = withFault({ message: "(not kept)" }).sample;
  expect(sample && isDropped(sample)).toBe(true);
});

it("says who has to act", () => {
  expect([actorWords("operator"), actorWords("nobody"), actorWords(undefined)]).toEqual([
    "You, the operator",
    undefined,
    undefined,
  ]);
});

test.each([
  ["core/timeout", "explain/core/timeout?kind=unavailable"],
  ["weird name/a?b", "explain/weird%20name/a%3Fb?kind=unavailable"],
  ["other", undefined],
  ["a/b/c", undefined],
  ["/b", undefined],
])("the explanation of %s", (reason, path) => {
  expect(explainPath({ reason, kind: "unavailable" })).toBe(path);
});

describe("ids", () => {
  it("have a time", () => {
    expect(idTimeMs("01ARZ3NDEKTSV4RRFFQ69G5FAV")).toBe(1_469_922_850_259);
    expect(idTimeMs("01ARZ3NDEKTSV4RRFFQ69G5FA")).toBeUndefined();
    expect(idTimeMs("81ARZ3NDEKTSV4RRFFQ69G5FAV")).toBeUndefined();
  });
  it("are read as people type them", () => {
    expect(normalizeId(" o1arz3ndektsv4rrffq69g5fal ")).toBe("01ARZ3NDEKTSV4RRFFQ69G5FA1");
  });
  it("are shortened in lists", () => {
    expect(shortId("01M7K7RE4ST7GE86F8QRXY0849")).toBe("01M7K7RE4S…0849");
    expect(shortId("abc")).toBe("abc");
  });
});
