import { describe, expect, it } from "vitest";
import type { FaultError } from "../fault/error.ts";
import { KINDS } from "../fault/kinds.ts";
import { registerSecrets } from "../safety/secrets.ts";
import { fail } from "./fail.ts";

type Stated = keyof typeof fail;
const STATED = Object.keys(fail) as Stated[];

const untyped = (kind: Stated = "not_found") => fail[kind] as unknown as (...args: unknown[]) => FaultError;

it("hides a value that becomes a secret by its quotation marks", () => {
  const undo = registerSecrets("it's a secret");
  expect(fail.conflict`Taken by ${'it"s a secret'}.`.message).toBe("Taken by (withheld).");
  undo();
});

describe("fail", () => {
  it("has every kind that may be stated, and not unknown", () => {
    expect(STATED).toEqual(Object.keys(KINDS).filter((kind) => kind !== "unknown"));
    expect(Object.isFrozen(fail)).toBe(true);
  });

  it.each(STATED)("%s never shows a plain string", (kind) => {
    const sentence = KINDS[kind].fallbackMessage;
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

  it.each([
    ["a private key", "-----BEGIN PRIVATE KEY-----"],
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
