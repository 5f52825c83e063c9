import { describe, expect, it } from "vitest";
import { CLASSES, classOf, EFFECTS, isFaultClass, isKind, KINDS, knownKind, MOVES } from "./kinds.ts";

// class, who acts, first move, effect, repeat, breaker counts, HTTP status, sentence
const TABLE = {
  invalid_input: "validation model fix_input none never false 422 The arguments are wrong.",
  invalid_request: "validation host stop none never false 400 The request is malformed.",
  unauthenticated: "permission host authenticate none after_credentials false 401 Valid credentials are required.",
  forbidden: "permission person ask_user none never false 403 This call is not allowed.",
  approval_required:
    "permission person ask_user none after_approval false 403 A person has to approve this call first.",
  rate_limited: "retryable time retry none after_wait false 429 Too many calls in a short time.",
  overloaded: "retryable time retry none after_wait true 503 The service is too busy at the moment.",
  timeout: "retryable engine refresh possible if_safe true 504 No answer came in time.",
  unavailable: "dependency operator retry possible if_safe true 503 A service that this call needs is not available.",
  upstream_failed: "dependency operator retry possible if_safe true 502 A service that this call needs has failed.",
  not_found: "terminal model choose_another none never false 404 What the call asked for was not found.",
  conflict: "terminal model refresh none never false 409 The call conflicts with the current state.",
  precondition_failed: "terminal model do_first none never false 422 Something else has to happen first.",
  unsupported: "terminal model choose_another none never false 501 This call is not supported here.",
  quota_exhausted: "terminal person ask_user none never false 429 The quota is used up and does not come back soon.",
  cancelled: "terminal nobody stop possible never false 499 The call was cancelled.",
  internal: "terminal operator stop possible never true 500 The call failed because of an internal error.",
  unknown: "terminal model refresh possible never false 500 The call failed for an unknown reason.",
} as const satisfies Record<string, string>;

const NO_KINDS = ["", "Not_found", "not_found ", "constructor", "__proto__", "toString", "hasOwnProperty", "valueOf"];
const NO_STRINGS = [undefined, null, 0, 1, true, {}, [], ["not_found"], Symbol("not_found"), () => "not_found"];

describe("the table of kinds", () => {
  it("has eighteen rows", () => {
    expect(Object.keys(KINDS)).toEqual(Object.keys(TABLE));
    expect(Object.keys(KINDS)).toHaveLength(18);
  });

  it.each(Object.entries(TABLE))("says what %s means", (kind, row) => {
    const of = KINDS[kind as keyof typeof KINDS];
    const said = [of.class, of.actor, of.firstMove, of.effect, of.retryWhen, of.tripsBreaker, of.httpStatus];
    expect([...said, of.fallbackMessage].join(" ")).toBe(row);
    expect(Object.keys(of)).toHaveLength(9);
  });

  it("has closed sets of classes, effects and moves", () => {
    expect(CLASSES).toEqual(["validation", "permission", "retryable", "dependency", "terminal"]);
    expect(EFFECTS).toEqual(["none", "possible", "applied"]);
    expect(MOVES).toEqual([
      "retry",
      "authenticate",
      "fix_input",
      "choose_another",
      "refresh",
      "do_first",
      "ask_user",
      "stop",
    ]);
  });
});

describe("isKind", () => {
  it("takes every kind", () => {
    for (const kind of Object.keys(TABLE)) expect(isKind(kind), kind).toBe(true);
  });
  it.each([...NO_KINDS, "retryable", ...NO_STRINGS])("refuses %s", (value) => {
    expect(isKind(value)).toBe(false);
  });
});

describe("isFaultClass", () => {
  it.each(["validation", "permission", "retryable", "dependency", "terminal"])("takes %s", (value) => {
    expect(isFaultClass(value)).toBe(true);
  });
  it.each([...NO_KINDS, "not_found", "length", ...NO_STRINGS])("refuses %s", (value) => {
    expect(isFaultClass(value)).toBe(false);
  });
});

describe("knownKind", () => {
  it("keeps a kind that is known, whatever class is claimed", () => {
    for (const kind of Object.keys(TABLE)) expect(knownKind({ kind, class: "validation" })).toBe(kind);
  });
  it.each([
    ["validation", "invalid_input"],
    ["permission", "forbidden"],
    ["retryable", "overloaded"],
    ["dependency", "upstream_failed"],
    ["terminal", "unknown"],
  ] as const)("reads an unknown kind of the class %s as %s", (group, kind) => {
    expect(knownKind({ kind: "newer_kind", class: group })).toBe(kind);
    expect(knownKind({ kind: "constructor", class: group })).toBe(kind);
  });
});

describe("classOf", () => {
  it.each(Object.entries(TABLE))("knows the class of %s", (kind, row) => {
    const [group] = row.split(" ");
    expect(classOf(kind as keyof typeof TABLE)).toBe(group);
    expect(classOf({ kind, class: group === "terminal" ? "validation" : "terminal" })).toBe(group);
  });
  it("uses the stated class of a newer kind", () => {
    expect(classOf({ kind: "newer_kind", class: "dependency" })).toBe("dependency");
  });
});
