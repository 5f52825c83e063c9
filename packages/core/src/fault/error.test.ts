import { describe, expect, it, vi } from "vitest";
import { FaultError } from "./error.ts";
import { type Fault, packFault } from "./fault.ts";

const BRAND = Symbol.for("recourse/FaultError");
const fault: Fault = packFault({
  v: 1,
  kind: "conflict",
  class: "terminal",
  reason: "core/conflict",
  message: "It is taken.",
  recourse: Object.freeze([{ do: "refresh" }] as const),
  effect: "none",
  origin: { layer: "server" as const },
  basis: "stated",
});

async function secondCopy(): Promise<typeof FaultError> {
  vi.resetModules();
  return (await import("./error.ts")).FaultError;
}

describe("FaultError", () => {
  it("is an error with the fault and its message", () => {
    const error = new FaultError(fault);
    expect(error).toBeInstanceOf(Error);
    expect(error.fault).toBe(fault);
    expect([error.message, error.name]).toEqual(["It is taken.", "FaultError"]);
    expect(error.stack).toContain("error.test.ts");
    expect(Object.hasOwn(error, "cause")).toBe(false);
  });

  it("keeps a cause, of any type", () => {
    for (const cause of [new Error("x"), null, 0, ""]) expect(new FaultError(fault, { cause }).cause).toBe(cause);
    expect(Object.hasOwn(new FaultError(fault, { cause: undefined }), "cause")).toBe(false);
    expect(Object.hasOwn(new FaultError(fault, {}), "cause")).toBe(false);
  });

  it("recognises its own errors", () => {
    const error = new FaultError(fault);
    expect([FaultError.is(error), FaultError.isOwn(error), error instanceof FaultError]).toEqual([true, true, true]);
  });

  it("does not treat an error as its own if its fault was not built here", () => {
    for (const copy of [{ ...fault }, Object.freeze({ ...fault })]) {
      const error = new FaultError(copy);
      expect([FaultError.is(error), FaultError.isOwn(error)]).toEqual([true, false]);
    }
  });

  it("is recognised by another copy of the package, but not as its own", async () => {
    const Other = await secondCopy();
    expect(Other).not.toBe(FaultError);
    const mine = new FaultError(fault);
    const theirs = new Other(fault);
    expect([Other.is(mine), mine instanceof Other, Other.isOwn(mine)]).toEqual([true, true, false]);
    expect([FaultError.is(theirs), theirs instanceof FaultError, FaultError.isOwn(theirs)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(Other.isOwn(theirs)).toBe(true);
  });

  const revocable = Proxy.revocable({}, {});
  revocable.revoke();
  const trapped = new Proxy(
    {},
    {
      getOwnPropertyDescriptor: () => {
        throw new Error("trap");
      },
      get: () => {
        throw new Error("trap");
      },
      has: () => {
        throw new Error("trap");
      },
    },
  );
  const getter = Object.defineProperty({}, BRAND, {
    get() {
      throw new Error("getter");
    },
  });
  it.each([
    ["undefined", undefined],
    ["null", null],
    ["a string", "FaultError"],
    ["a number", 1],
    ["a symbol", BRAND],
    ["an error", new Error("x")],
    ["an error of that name", Object.assign(new Error("x"), { name: "FaultError", fault })],
    ["an object with the brand inherited", Object.create({ [BRAND]: true })],
    ["an object whose brand is not true", { [BRAND]: 1 }],
    ["an object whose brand is a getter", getter],
    ["a function with the brand", Object.assign(() => 0, { [BRAND]: true })],
    ["a revoked proxy", revocable.proxy],
    ["a proxy that throws", trapped],
  ])("is not %s", (_, value) => {
    expect(FaultError.is(value)).toBe(false);
    expect(FaultError.isOwn(value)).toBe(false);
    expect((value as object) instanceof FaultError).toBe(false);
  });

  it("accepts a branded object, but never as its own", () => {
    const forged = { [BRAND]: true, fault };
    expect([FaultError.is(forged), FaultError.isOwn(forged)]).toEqual([true, false]);
    const wrapped = new Proxy(new FaultError(fault), {});
    expect([FaultError.is(wrapped), FaultError.isOwn(wrapped)]).toEqual([true, false]);
  });
});
