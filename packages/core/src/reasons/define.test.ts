import { afterEach, describe, expect, expectTypeOf, it } from "vitest";
import { FaultError } from "../fault/error.ts";
import type { Fault } from "../fault/fault.ts";
import { createSecretFilter } from "../safety/secrets.ts";
import type { ReasonOptions } from "./build-safely.ts";
import { defineReason, defineReasons } from "./define.ts";
import * as auth from "./library/auth.ts";
import { integer, optional, pattern, text } from "./slot.ts";
import type { AnyReason, ParamsOf, Slot } from "./types.ts";

const gtin = pattern(/\d{8}|\d{12,14}/, { bare: true });
const shop = defineReasons("shop", {
  no_rule: {
    kind: "not_found",
    text: "No rule resolves {gtin}[ in {place}].",
    slots: { gtin, place: optional(text(20)) },
  },
  closed: { kind: "unavailable", text: "The shop is closed.", details: { effect: "none", afterMs: 5_000 } },
  paused: {
    kind: "overloaded",
    text: "The shop is paused[ for {minutes} minutes].",
    slots: { minutes: optional(integer) },
  },
});
const anything = (reason: unknown) => reason as (...args: unknown[]) => FaultError;

let undo: (() => void) | undefined;
afterEach(() => undo?.());

describe("a reason", () => {
  it("has its name, kind, text and slots", () => {
    expect(shop.no_rule.id).toBe("shop/no_rule");
    expect(shop.no_rule.kind).toBe("not_found");
    expect(shop.no_rule.text).toBe("No rule resolves {gtin}[ in {place}].");
    expect(Object.keys(shop.no_rule.slots)).toEqual(["gtin", "place"]);
    expect(shop.no_rule.slots["gtin"]).toBe(gtin);
    expect(shop.closed.slots).toEqual({});
  });

  it("cannot be changed, nor can its domain", () => {
    expect(Object.isFrozen(shop)).toBe(true);
    expect(Object.isFrozen(shop.no_rule)).toBe(true);
    expect(Object.keys(shop)).toEqual(["no_rule", "closed", "paused"]);
  });

  it("is typed by its id and its params", () => {
    expectTypeOf(shop.no_rule.id).toEqualTypeOf<"shop/no_rule">();
    expectTypeOf(shop.no_rule.kind).toEqualTypeOf<"not_found">();
    expectTypeOf(shop.no_rule).toExtend<AnyReason>();
    expectTypeOf<
      ParamsOf<{ kind: "conflict"; text: "{a}[{b}]"; slots: { a: Slot<number>; b: Slot<string, true> } }>
    >().toExtend<{
      readonly a: number;
      readonly b?: string;
    }>();
    expectTypeOf(shop.no_rule.fault).returns.toEqualTypeOf<Fault>();
  });
});

describe("a called reason", () => {
  it("is an Error that carries the fault", () => {
    const error = shop.no_rule({ gtin: "12345678", place: "Berlin" });
    expect(error).toBeInstanceOf(FaultError);
    expect(error).toBeInstanceOf(Error);
    expect(error.message).toBe('No rule resolves 12345678 in "Berlin".');
    expect(error.fault).toEqual({
      v: 1,
      kind: "not_found",
      class: "terminal",
      reason: "shop/no_rule",
      message: 'No rule resolves 12345678 in "Berlin".',
      params: { gtin: "12345678", place: "Berlin" },
      recourse: [{ do: "choose_another" }],
      effect: "none",
      origin: { layer: "server" },
      basis: "stated",
    });
    expect(Object.hasOwn(error, "cause")).toBe(false);
  });

  it("needs no arguments when it has no slots, or only optional ones", () => {
    expect(shop.closed().fault).not.toHaveProperty("params");
    expect(shop.closed({}).fault.message).toBe("The shop is closed.");
    expect(shop.closed(undefined, { effect: "possible" }).fault.effect).toBe("possible");
    expect(shop.paused().message).toBe("The shop is paused.");
    expect(shop.paused({ minutes: 5 }).message).toBe("The shop is paused for 5 minutes.");
  });

  it("lets the call override them", () => {
    expect(shop.closed({}, { afterMs: 7_000 }).fault).toMatchObject({
      effect: "none",
      recourse: [{ do: "retry", afterMs: 7_000 }],
    });
    expect(shop.closed({}, { effect: "applied" }).fault).toMatchObject({
      effect: "applied",
      recourse: [{ do: "refresh" }],
    });
  });

  it("keeps the details of its reason if a call passes undefined", () => {
    const rest = { effect: undefined, afterMs: undefined } as unknown as ReasonOptions;
    expect(shop.closed({}, rest).fault).toMatchObject({ effect: "none", recourse: [{ do: "retry", afterMs: 5_000 }] });
  });

  it("does not let options change kind, reason or message", () => {
    const rest = {
      kind: "internal",
      class: "retryable",
      reason: "other/name",
      message: "Something else.",
      params: { x: 1 },
      v: 2,
    } as unknown as ReasonOptions;
    expect(shop.closed.fault({}, rest)).toEqual(shop.closed.fault());
  });

  it("takes over the id of another program, except for refused credentials", () => {
    const incident = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
    expect(shop.closed.fault({}, { incident }).incident).toBe(incident);
    expect(shop.closed.fault({}, { incident: "ask root@db" })).toEqual(shop.closed.fault());
    expect(auth.unauthorized.fault({}, { incident })).toEqual(auth.unauthorized.fault());
  });

  it("filters values and details with the options of the call", () => {
    const secrets = createSecretFilter(["hunter2hunter2"]);
    const fault = shop.no_rule.fault(
      { gtin: "12345678", place: "hunter2hunter2" },
      { secrets, quote: { text: "at hunter2hunter2", from: "peer" } },
    );
    expect(fault.message).toBe("No rule resolves 12345678.");
    expect(fault.params).toEqual({ gtin: "12345678", place: null });
    expect(fault.quote?.text).toBe("at [removed]");
    expect(shop.no_rule({ gtin: "12345678", place: "-----BEGIN RSA" }).fault.params).toEqual({
      gtin: "12345678",
      place: null,
    });
    expect(shop.no_rule({ gtin: "12345678", place: "-----BEGIN RSA" }, { allow: ["credential"] }).message).toBe(
      'No rule resolves 12345678 in "-----BEGIN RSA".',
    );
  });
});

describe("the cause", () => {
  const inner = shop.no_rule({ gtin: "12345678" });

  it("becomes the cause of the fault if it is a FaultError, and stays on the Error", () => {
    const error = shop.closed({}, { cause: inner });
    expect(error.cause).toBe(inner);
    expect(error.fault.cause).toEqual(inner.fault);
    expect(shop.closed.fault({}, { cause: inner }).cause).toEqual(inner.fault);
  });

  it.each([[new Error("private")], ["private"], [null], [0], [{ fault: shop.closed.fault() }]])(
    "stays only on the Error if it is %s",
    (cause) => {
      const error = shop.closed({}, { cause });
      expect(error.cause).toBe(cause);
      expect(error.fault).not.toHaveProperty("cause");
    },
  );

  it("is checked if something else has the brand of a FaultError", () => {
    const brand = Symbol.for("recourse/FaultError");
    const forged = (fault: unknown) => shop.closed.fault({}, { cause: { [brand]: true, fault } }).cause;
    for (const fault of [null, undefined, 7, "text", { secret: "private" }, { ...inner.fault, v: 2 }]) {
      expect(forged(fault)).toBeUndefined();
    }
    expect(forged({ ...inner.fault, private: "text", quote: { text: "/srv/data/report.pdf", from: "peer" } })).toEqual(
      inner.fault,
    );
  });
});

describe("values of any type", () => {
  const thrower = () => {
    throw new Error("hostile");
  };
  const trap = new Proxy({}, { get: thrower, has: thrower, ownKeys: thrower, getOwnPropertyDescriptor: thrower });
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const hostile = [null, undefined, 0, "text", true, 1n, Symbol("s"), [], () => 1, trap, revoked.proxy];

  it.each(hostile.map((value) => [typeof value, value]))("a reason does not throw on params: %s", (_, params) => {
    const error = anything(shop.no_rule)(params);
    expect(error).toBeInstanceOf(FaultError);
    expect(error.message).toBe("No rule resolves (withheld).");
    expect(error.fault.reason).toBe("shop/no_rule");
  });

  it.each(hostile.map((value) => [typeof value, value]))("a reason does not throw on details: %s", (_, rest) => {
    const error = anything(shop.closed)({}, rest);
    expect(error.message).toBe("The shop is closed.");
    expect(error.fault).toEqual(shop.closed.fault());
    expect(anything(shop.closed.fault)({}, rest)).toEqual(shop.closed.fault());
  });

  it.each(["retry", "issues", "limits", "recourse", "quote", "origin", "basis", "tried", "cause", "secrets", "allow"])(
    "a reason does not throw on a hostile %s",
    (member) => {
      for (const value of hostile) {
        const error = anything(shop.no_rule)({ gtin: "12345678", place: "Berlin" }, { [member]: value });
        expect(error.fault.reason).toBe("shop/no_rule");
        expect(error.fault.kind).toBe("not_found");
      }
    },
  );

  it("a reason drops only the hostile detail", () => {
    const error = anything(shop.no_rule)({ gtin: "12345678" }, { retry: trap, effect: "applied" });
    expect(error.fault).toEqual(shop.no_rule.fault({ gtin: "12345678" }, { effect: "applied" }));
  });

  it("a reason hides all values if the filter options cannot be read", () => {
    const secrets = createSecretFilter(["hunter2hunter2"]);
    const values = { gtin: "12345678", place: "hunter2hunter2" };
    const hidden = Object.defineProperty({ secrets }, "effect", { enumerable: true, get: thrower });
    for (const rest of [hidden, { secrets: {} }, { secrets: { has: thrower } }]) {
      const error = anything(shop.no_rule)(values, rest);
      expect(error.message).toBe("No rule resolves (withheld).");
      expect(error.fault.params).toEqual({ gtin: null });
      expect(anything(shop.no_rule.fault)(values, rest)).toEqual(error.fault);
    }
  });

  it("a reason hides all values if reading one of them throws", () => {
    const values = Object.defineProperty({ gtin: "12345678" }, "place", { get: thrower });
    expect(anything(shop.no_rule)(values).message).toBe("No rule resolves (withheld).");
  });
});

describe("defineReason", () => {
  it("accepts the kind that only decoders use", () => {
    const lost = defineReason("core/lost", { kind: "unknown", text: "Lost." });
    expect(lost().fault).toMatchObject({ kind: "unknown", class: "terminal", reason: "core/lost", effect: "possible" });
  });
});
