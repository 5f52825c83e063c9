import { fail, isFault, slot } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AdapterError, declareReasons, translate } from "./adapter-error.ts";

describe("AdapterError", () => {
  it("carries an identifier, params and details", () => {
    const cause = new Error("private");
    const stated = { effect: "none", retry: { allowed: false } } as const;
    const error = new AdapterError("SOLD_OUT", { params: { left: 2 }, cause, ...stated });
    expect(error).toBeInstanceOf(Error);
    expect({ ...error }).toMatchObject({ identifier: "SOLD_OUT", params: { left: 2 }, effect: "none" });
    expect(error).toMatchObject({ name: "AdapterError", message: "SOLD_OUT", cause, retry: { allowed: false } });
    expect("cause" in new AdapterError("SOLD_OUT")).toBe(false);
  });

  it("is recognised whichever copy of the package made it", () => {
    expect(AdapterError.is(new AdapterError("SOLD_OUT"))).toBe(true);
    expect(AdapterError.is({ [Symbol.for("recourse/AdapterError")]: true, identifier: "SOLD_OUT" })).toBe(true);
  });

  it("is not recognised in anything else", () => {
    const trap = new Proxy({}, { getOwnPropertyDescriptor: () => expect.unreachable() });
    const lookalike = { name: "AdapterError", identifier: "SOLD_OUT" };
    const heir = Object.create(new AdapterError("SOLD_OUT"));
    for (const value of [new Error("SOLD_OUT"), lookalike, undefined, null, "SOLD_OUT", heir, trap])
      expect(AdapterError.is(value)).toBe(false);
  });
});

const gone = { kind: "not_found", text: "It is gone." } as const;

describe("declareReasons", () => {
  it("shows no identifier but the declared one", () => {
    const reason = declareReasons("shop", { GONE: gone }).get("GONE");
    expect(reason?.fault({ originalError: "postgres://app:hunter2@10.0.0.5" } as never).params).toEqual({
      originalError: null,
    });
  });

  it.each(["", "Shop", "my-shop", "1shop", "a".repeat(41), "../shop", "core", "adapter", "adhoc"])(
    "refuses the name %j",
    (name) => {
      expect(() => declareReasons(name, {})).toThrow(/cannot be the name of an adapter/);
    },
  );

  it.each(["", "NOT FOUND", "9LIVES", "a/b", "X".repeat(61)])("refuses the identifier %j", (identifier) => {
    expect(() => declareReasons("shop", { [identifier]: gone })).toThrow(/cannot be the identifier of a failure/);
  });

  it("refuses two identifiers that would be one reason", () => {
    expect(() => declareReasons("shop", { GONE: gone, Gone: gone })).toThrow("shop/gone");
  });
});

const reasons = declareReasons("shop", {
  ORDER_NOT_FOUND: { kind: "not_found", text: "There is no such order." },
  SOLD_OUT: {
    kind: "precondition_failed",
    text: "Only {left} are left.",
    slots: { left: slot.integer },
    recourse: [{ do: "do_first", tool: "restock" }],
  },
  BACKEND_BROKE: { kind: "upstream_failed", text: "The shop failed.", retry: { allowed: true, afterMs: 2_000 } },
  MAYBE_SENT: { kind: "timeout", text: "The shop is slow.", effect: "possible" },
  CHARGED: { kind: "upstream_failed", text: "The receipt is lost.", effect: "applied" },
});
const WRITES = {};
const READS = { annotations: { readOnlyHint: true } };
const REPEATS = { annotations: { idempotentHint: true } };
const faultOf = (thrown: unknown, tool: object = WRITES) => translate(thrown, reasons, tool).fault;

describe("translate", () => {
  it("turns a declared identifier into its own fault, and keeps the cause for the operator", () => {
    const thrown = new AdapterError("SOLD_OUT", { params: { left: 2 }, cause: new Error("select * from stock") });
    const error = translate(thrown, reasons, WRITES);
    expect(error.fault).toMatchObject({
      kind: "precondition_failed",
      reason: "shop/sold_out",
      message: "Only 2 are left.",
      params: { left: 2, originalError: "SOLD_OUT" },
      effect: "none",
      recourse: [{ do: "do_first", tool: "restock" }],
    });
    expect(isFault(error.fault)).toBe(true);
    expect(error.cause).toBe(thrown.cause);
    expect(JSON.stringify(error.fault)).not.toContain("select");
  });

  it("names the arguments that a failure is about", () => {
    const issues = [{ pointer: "/sku", rule: "custom" as const }];
    expect(faultOf(new AdapterError("SOLD_OUT", { params: { left: 0 }, issues })).issues).toEqual(issues);
    expect(faultOf(new AdapterError("ORDER_NOT_FOUND"))).not.toHaveProperty("issues");
  });

  it("prefers what a failure states over its declaration", () => {
    const thrown = new AdapterError("BACKEND_BROKE", { effect: "none", retry: { allowed: true, afterMs: 7_000 } });
    expect(faultOf(thrown)).toMatchObject({ effect: "none", retry: { allowed: true, afterMs: 7_000 } });
    expect(faultOf(new AdapterError("BACKEND_BROKE"))).toMatchObject({
      effect: "possible",
      retry: { allowed: true, afterMs: 2_000 },
    });
  });

  it.each(["NO_SUCH_THING", "order_not_found", "constructor", "toString"])(
    "names the undeclared identifier %s, and does not ask to repeat the call",
    (originalError) => {
      const thrown = new AdapterError(originalError, { params: { left: 1 }, cause: new Error("select * from stock") });
      const error = translate(thrown, reasons, READS);
      expect(error.cause).toBe(thrown);
      expect(error.fault).toMatchObject({
        reason: "adapter/failed",
        message: `The backend of this tool has failed: "${originalError}".`,
        params: { originalError },
        effect: "none",
        recourse: [{ do: "refresh" }, { do: "stop" }],
      });
      expect(JSON.stringify(error.fault)).not.toContain("select");
      expect(faultOf(thrown).effect).toBe("possible");
    },
  );

  it("keeps what the failure of an undeclared identifier states", () => {
    const issues = [{ pointer: "/sku", rule: "custom" as const }];
    const stated = { effect: "applied", retry: { allowed: false }, issues } as const;
    expect(faultOf(new AdapterError("NO_SUCH_THING", stated), READS)).toMatchObject(stated);
    const later = new AdapterError("NO_SUCH_THING", { retry: { allowed: true, afterMs: 5_000 } });
    expect(faultOf(later, READS).recourse).toEqual([{ do: "retry", afterMs: 5_000 }]);
  });

  it.each(["__proto__", "", "no order 7 at db.internal", "x".repeat(61), `sk_live_${"51H8xYz0AbCdEfGhIjKlMnOp"}`])(
    "shows nothing of %j, which is no identifier",
    (identifier) => {
      const fault = faultOf(new AdapterError(identifier, { params: { left: 1 } }));
      expect(fault).toMatchObject({ reason: "adapter/failed", message: "The backend of this tool has failed." });
      expect(fault.params?.["originalError"] ?? null).toBeNull();
    },
  );

  it("withholds a param that its slot does not take", () => {
    const fault = faultOf(new AdapterError("SOLD_OUT", { params: { left: "hunter2hunter2" } }));
    expect(fault.params).toEqual({ left: null, originalError: "SOLD_OUT" });
    expect(JSON.stringify(fault)).not.toContain("hunter2");
  });

  it("passes a fault through unchanged", () => {
    const error = fail.conflict`Order ${7} was changed.`;
    expect(translate(error, reasons, WRITES)).toBe(error);
    expect(faultOf(core.rate_limited({ limit: 3 })).reason).toBe("core/rate_limited");
  });

  it.each([
    ["57014", "core/timeout", "possible"],
    ["40001", "core/busy", "possible"],
    ["08006", "adapter/unavailable", "possible"],
    ["42P01", "adapter/failed", "possible"],
    ["23505", "core/conflict", "none"],
  ])("recognises the SQL state %s: %s", (code, reason, effect) => {
    const thrown = Object.assign(new Error("canceling statement of role app"), { code, severity: "ERROR" });
    expect(faultOf(thrown)).toMatchObject({ reason, effect });
    expect(faultOf(thrown, READS)).toMatchObject({ reason, effect: "none" });
    expect(JSON.stringify(faultOf(thrown))).not.toContain("role app");
  });

  it("recognises a backend that could not be reached by its code", () => {
    const refused = Object.assign(new Error("connect ECONNREFUSED 10.0.0.5:5432"), { code: "ECONNREFUSED" });
    expect(faultOf(refused)).toMatchObject({ reason: "adapter/unavailable", effect: "none" });
    expect(faultOf(refused, READS)).toMatchObject({ effect: "none", recourse: [{ do: "retry" }] });
  });

  it.each([
    ["that only reads changed nothing", READS, "none", "retry"],
    ["that is idempotent may be repeated", REPEATS, "possible", "retry"],
    ["that writes may have taken effect", WRITES, "possible", "refresh"],
  ])("a tool %s", (_what, tool, effect, move) => {
    const fault = faultOf(new Error("x"), tool);
    expect([fault.effect, fault.recourse[0].do]).toEqual([effect, move]);
  });

  it("keeps a declared effect, whatever the annotations say", () => {
    expect(faultOf(new AdapterError("CHARGED"), READS).effect).toBe("applied");
    expect(faultOf(new AdapterError("MAYBE_SENT"), READS).effect).toBe("possible");
    expect(faultOf(new AdapterError("BACKEND_BROKE"), READS).effect).toBe("none");
  });

  it("shows nothing of any thrown value", () => {
    const secret = fc.string({ minLength: 8, unit: "binary" }).filter((text) => !/^[\s-]*$/.test(text));
    fc.assert(
      fc.property(secret, fc.anything(), (text, anything) => {
        const plain = JSON.stringify(faultOf(new Error("x")));
        for (const thrown of [new Error(text), text, { message: text, code: text }, anything])
          expect(JSON.stringify(faultOf(thrown))).toBe(plain);
      }),
    );
  });
});
