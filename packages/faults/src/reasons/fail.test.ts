import { describe, expect, it } from "vitest";
import { FaultError } from "../fault/error.ts";
import { createSecretFilter, registerSecrets } from "../safety/secrets.ts";
import { fail } from "./fail.ts";

const SENTENCES = {
  invalid_input: "The arguments are wrong.",
  invalid_request: "The request is malformed.",
  unauthenticated: "Valid credentials are required.",
  forbidden: "This call is not allowed.",
  approval_required: "A person has to approve this call first.",
  rate_limited: "Too many calls in a short time.",
  overloaded: "The service is too busy at the moment.",
  timeout: "No answer came in time.",
  unavailable: "A service that this call needs is not available.",
  upstream_failed: "A service that this call needs has failed.",
  not_found: "What the call asked for was not found.",
  conflict: "The call conflicts with the current state.",
  precondition_failed: "Something else has to happen first.",
  unsupported: "This call is not supported here.",
  quota_exhausted: "The quota is used up and does not come back soon.",
  cancelled: "The call was cancelled.",
  internal: "The call failed because of an internal error.",
} as const;
type Stated = keyof typeof SENTENCES;

const untyped = (kind: Stated = "not_found") => fail[kind] as unknown as (...args: unknown[]) => FaultError;

it("hides a value that becomes a secret by its quotation marks", () => {
  const undo = registerSecrets("it's a secret");
  expect(fail.conflict`Taken by ${'it"s a secret'}.`.message).toBe("Taken by (withheld).");
  undo();
});

describe("fail", () => {
  it("has every kind that may be stated, and not unknown", () => {
    expect(Object.keys(fail)).toEqual(Object.keys(SENTENCES));
    expect(fail).not.toHaveProperty("unknown");
    expect(Object.isFrozen(fail)).toBe(true);
  });

  it.each(Object.keys(SENTENCES) as Stated[])("%s gives an ad-hoc fault of that kind", (kind) => {
    const error = fail[kind]`Something went wrong.`;
    expect(error).toBeInstanceOf(FaultError);
    expect(error.message).toBe("Something went wrong.");
    expect(error.fault).toMatchObject({ kind, reason: `adhoc/${kind}`, message: "Something went wrong." });
    expect(error.fault).not.toHaveProperty("params");
    expect(error.cause).toBeUndefined();
  });

  it.each(Object.entries(SENTENCES) as [Stated, string][])("%s never shows a plain string", (kind, sentence) => {
    for (const args of [["from a variable"], [["from an array"]], [undefined], [null], [7], [], [() => "x"]]) {
      const error = untyped(kind)(...args);
      expect(error.message).toBe(sentence);
      expect(error.fault).not.toHaveProperty("params");
    }
    expect((fail[kind]({}) as unknown as (text: string) => FaultError)("from a variable").message).toBe(sentence);
  });

  it("quotes strings, and shows numbers and booleans without quotation marks", () => {
    const error = fail.not_found`No ${'the "best"'} of ${3}, ${-0.5}, ${true} or ${false}.`;
    expect(error.message).toBe("No \"the 'best'\" of 3, -0.5, true or false.");
    expect(error.fault.params).toEqual({ p1: 'the "best"', p2: 3, p3: -0.5, p4: true, p5: false });
    expect(Object.isFrozen(error.fault.params)).toBe(true);
  });

  it("shows an empty string in quotation marks", () => {
    expect(fail.not_found`No ${""}.`.message).toBe('No "".');
  });

  it.each([
    ["markup", "![x](y)"],
    ["not a number", Number.NaN],
    ["endless", Number.POSITIVE_INFINITY],
    ["nothing", undefined],
    ["null", null],
    ["an object", { toString: () => "private" }],
    ["a big integer", 7n],
    ["a symbol", Symbol("private")],
    ["blanks", " \n"],
  ])("hides %s", (_, value) => {
    const error = fail.not_found`No ${value as string} here.`;
    expect(error.message).toBe("No (withheld) here.");
    expect(error.fault.params).toEqual({ p1: null });
  });

  it("cuts a value at 64 characters and makes one line of it", () => {
    expect(fail.not_found`No ${"z".repeat(64)}.`.message).toBe(`No "${"z".repeat(64)}".`);
    expect(fail.not_found`No ${"z".repeat(65)}.`.message).toBe(`No "${"z".repeat(63)}…".`);
    expect(fail.not_found`No ${"two\nlines"}.`.message).toBe('No "two lines".');
  });

  it("cuts the sentence at 240 characters", () => {
    const values = ["z", "w", "v", "t"].map((letter) => letter.repeat(64));
    const { message } =
      fail.not_found`${values[0] as string}${values[1] as string}${values[2] as string}${values[3] as string}`;
    expect(message).toHaveLength(240);
    expect(message.endsWith("t…")).toBe(true);
  });

  it("keeps at most twenty params", () => {
    const literals = Array.from({ length: 22 }, () => "x");
    const template = Object.assign(literals, { raw: literals });
    const values = Array.from({ length: 21 }, (_, index) => index);
    const error = untyped()(template, ...values);
    expect(Object.keys(error.fault.params ?? {})).toEqual(Array.from({ length: 20 }, (_, index) => `p${index + 1}`));
    expect(error.message).toContain("x19x20x");
  });

  it("makes one line of a template of several", () => {
    const error = fail.not_found`No channel ${"general"}.
      Call list_channels first.`;
    expect(error.message).toBe('No channel "general". Call list_channels first.');
  });

  it("uses the general message of the kind if the template is empty or blank", () => {
    expect(fail.conflict``.message).toBe("The call conflicts with the current state.");
    expect(
      fail.conflict`
      `.message,
    ).toBe("The call conflicts with the current state.");
  });

  it("takes options before the sentence", () => {
    const inner = fail.unavailable`Behind.`;
    const error = fail.conflict({ effect: "applied", cause: inner, retry: { allowed: false } })`Taken by ${"me"}.`;
    expect(error.fault).toMatchObject({
      kind: "conflict",
      effect: "applied",
      retry: { allowed: false },
      message: 'Taken by "me".',
      params: { p1: "me" },
    });
    expect(error.fault.cause).toEqual(inner.fault);
    expect(error.cause).toBe(inner);
  });

  it("keeps a foreign cause only on the Error", () => {
    const cause = new Error("private");
    const error = fail.conflict({ cause })`Taken.`;
    expect(error.cause).toBe(cause);
    expect(error.fault).not.toHaveProperty("cause");
  });

  it("checks a forged cause", () => {
    const cause = { [Symbol.for("recourse/FaultError")]: true, fault: { private: "text" } };
    expect(fail.conflict({ cause })`Taken.`.fault).not.toHaveProperty("cause");
  });

  it("does not let options change kind, reason or message", () => {
    const error = fail.conflict({
      kind: "internal",
      reason: "x/y",
      message: "Other.",
      params: { a: 1 },
    } as never)`Taken.`;
    expect(error.fault).toEqual(fail.conflict`Taken.`.fault);
  });

  it("filters values with the options", () => {
    const secrets = createSecretFilter(["hunter2hunter2"]);
    expect(fail.conflict({ secrets })`Taken by ${"hunter2hunter2"}.`.message).toBe("Taken by (withheld).");
    expect(fail.conflict({ allow: ["markup"] })`Taken by ${"![x](y)"}.`.message).toBe('Taken by "![x](y)".');
  });

  it("never throws on hostile details or literals", () => {
    const thrower = () => {
      throw new Error("hostile");
    };
    const trap = new Proxy({}, { get: thrower, ownKeys: thrower, getOwnPropertyDescriptor: thrower });
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    const hidden = Object.defineProperty({}, "cause", { enumerable: true, get: thrower });
    for (const rest of [trap, hidden, { secrets: { has: thrower } }]) {
      const error = fail.conflict(rest as never)`Taken by ${"me"} and ${7}.`;
      expect(error.fault.kind).toBe("conflict");
      expect(error.message).toBe("Taken by (withheld) and (withheld).");
      expect(error.fault.params).toEqual({ p1: null, p2: null });
      expect(error.cause).toBeUndefined();
    }
    expect(fail.conflict({ retry: trap } as never)`Taken by ${"me"}.`.message).toBe('Taken by "me".');
    const tag = untyped()(revoked.proxy) as unknown as (...args: unknown[]) => FaultError;
    expect(tag`No ${"x"}.`.message).toBe("No (withheld).");
    const literals = (...of: unknown[]) => Object.assign(of, { raw: of });
    expect(untyped()(literals(Symbol("private"), 7n), "x").message).toBe("What the call asked for was not found.");
    expect(untyped()(literals("No ", 7n), "x").message).toBe("What the call asked for was not found.");
  });

  it("reads a literal with a broken escape as an empty one", () => {
    const literals = (...of: unknown[]) => Object.assign(of, { raw: of });
    expect(untyped()(literals(undefined, " is gone."), "x").message).toBe('"x" is gone.');
    expect(untyped()(literals("No ", undefined), "x").message).toBe('No "x"');
  });
});
