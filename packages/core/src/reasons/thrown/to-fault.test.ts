import { expectCost } from "@recourse/test-kit/yardstick";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { FaultError } from "../../fault/error.ts";
import type { Fault } from "../../fault/fault.ts";
import { readFault } from "../../fault/read.ts";
import { fail } from "../fail.ts";
import { busy, overloaded, rate_limited } from "../library/core.ts";
import { not_connected, unreachable } from "../library/transport.ts";
import { toFault } from "./to-fault.ts";

const CANARY = "the canary sings";
const MASKED = {
  v: 1,
  kind: "internal",
  class: "terminal",
  reason: "core/internal",
  message: "The call failed because of an internal error.",
  recourse: [{ do: "stop" }],
  effect: "possible",
  origin: { layer: "server" },
  basis: "stated",
};
const BRAND = Symbol.for("recourse/FaultError");

const thrower = () => {
  throw new Error(CANARY);
};
const everyTrapThrows = new Proxy(() => CANARY, new Proxy({}, { get: () => thrower }));
function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({ message: CANARY }, {});
  revoke();
  return proxy;
}
function caused(...chain: unknown[]): unknown {
  return chain.reduceRight((cause, error) => Object.assign(error as object, { cause }));
}
function circle(): unknown {
  const [one, two] = [new Error(CANARY), new Error(CANARY)];
  return caused(one, caused(two, one));
}

let undo: (() => void) | undefined;
afterEach(() => undo?.());

describe("unknown errors are hidden", () => {
  it.each<[string, unknown]>([
    ["null", null],
    ["undefined", undefined],
    ["a string", CANARY],
    ["an empty string", ""],
    ["a number", 7],
    ["a big integer", 7n],
    ["a truth value", false],
    ["a symbol", Symbol(CANARY)],
    ["a function", Object.assign(() => CANARY, { message: CANARY })],
    ["a plain object", { message: CANARY, code: CANARY, name: CANARY }],
    ["an object without prototype", Object.assign(Object.create(null) as object, { message: CANARY })],
    ["an Error", new Error(CANARY)],
    ["an Error with more", Object.assign(new Error(CANARY), { code: CANARY, data: CANARY, [CANARY]: 1 })],
    ["an Error with a cause", new Error(CANARY, { cause: CANARY })],
    ["an Error in a circle", circle()],
    ["nested aggregates", new AggregateError([new AggregateError([new Error(CANARY), CANARY], CANARY)], CANARY)],
    ["a proxy whose every trap throws", everyTrapThrows],
    ["a revoked proxy", revoked()],
    ["a proxy of an Error", new Proxy(new Error(CANARY), {})],
    ["a promise", Promise.resolve(CANARY)],
    ["a forged brand without fault", { [BRAND]: true, message: CANARY }],
    ["a forged brand with text", { [BRAND]: true, fault: CANARY }],
    ["a forged brand with a strange object", { [BRAND]: true, fault: { v: 1, kind: CANARY, message: CANARY } }],
    ["a forged brand with a proxy", { [BRAND]: true, fault: everyTrapThrows }],
    ["a forged brand on a function", Object.assign(() => 1, { [BRAND]: true, fault: fail.conflict`x`.fault })],
    ["a forged class of the SDK", { name: "SdkError", code: "__proto__" }],
  ])("%s", (_, thrown) => {
    const fault = toFault(thrown);
    const expected = fault.basis === "mapped" ? { ...MASKED, basis: "mapped" } : MASKED;
    expect(fault).toEqual(expected);
    expect(JSON.stringify(fault)).not.toContain("canary");
    expect(Object.isFrozen(fault)).toBe(true);
  });

  it("an own FaultError whose fault refers to itself", () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    expect(toFault(new FaultError(Object.freeze(circular) as unknown as Fault))).toEqual(MASKED);
  });

  it("no code of the value is run", () => {
    const called: PropertyKey[] = [];
    const keys: PropertyKey[] = [
      "message",
      "name",
      "code",
      "cause",
      "errors",
      "stack",
      "data",
      "severity",
      "fault",
      "constructor",
      "toString",
      "toJSON",
      "valueOf",
      "then",
      BRAND,
      Symbol.for("mcp.sdk.errorBrands"),
      Symbol.toPrimitive,
      Symbol.toStringTag,
      Symbol.iterator,
    ];
    const recording: PropertyDescriptorMap = {};
    for (const key of keys) {
      recording[key as string] = {
        configurable: true,
        enumerable: true,
        get() {
          called.push(key);
          return CANARY;
        },
      };
    }
    for (const base of [{}, new Error("x"), () => 1, []]) {
      const thrown: unknown = Object.defineProperties(base, recording);
      expect(toFault(thrown)).toEqual(MASKED);
      expect(toFault(thrown, { foreignText: "quote" })).toEqual(MASKED);
      expect(toFault(Object.create(thrown as object))).toEqual(MASKED);
      expect(toFault(new Error("x", { cause: thrown }))).toEqual(MASKED);
    }
    expect(called).toEqual([]);
  });
});

describe("chains", () => {
  const refused = () => Object.assign(new Error(CANARY), { code: "ECONNREFUSED" });

  it("are followed to the first error that is recognised", () => {
    expect(toFault(caused(new Error(CANARY), new Error(CANARY), refused())).reason).toBe("core/unavailable");
    expect(toFault(new AggregateError([new Error(CANARY), refused()], CANARY)).reason).toBe("core/unavailable");
    expect(toFault(new AggregateError([new AggregateError([refused()])])).reason).toBe("core/unavailable");
  });

  it("are read to the innermost that says something", () => {
    const late = () => Object.assign(new Error(CANARY), { code: "ETIMEDOUT" });
    expect(toFault(caused(late(), refused())).reason).toBe("core/unavailable");
    expect(toFault(caused(refused(), late())).reason).toBe("core/timeout");
    expect(toFault(caused(late(), new Error(CANARY))).reason).toBe("core/timeout");
  });

  it("with a reply and the socket error below it: the reply says more", () => {
    const lost = Object.assign(new Error(CANARY), { code: "ECONNRESET" });
    const reply = Object.assign(new Error(CANARY), { response: { status: 404, headers: {} } });
    expect(toFault(caused(reply, lost)).kind).toBe("not_found");
    expect(toFault(caused(lost, reply)).kind).toBe("not_found");
  });

  it("prove that nothing happened only if each attempt does", () => {
    const lost = Object.assign(new Error(CANARY), { code: "ECONNRESET" });
    expect(toFault(new AggregateError([refused(), refused()])).effect).toBe("none");
    expect(toFault(new AggregateError([lost, refused()])).effect).toBe("possible");
  });

  it("are read up to twenty errors", () => {
    const plain = (count: number) => Array.from({ length: count }, () => new Error(CANARY));
    expect(toFault(caused(...plain(19), refused())).reason).toBe("core/unavailable");
    expect(toFault(caused(...plain(20), refused())).reason).toBe("core/internal");
    expect(toFault(new AggregateError([...plain(18), refused()])).reason).toBe("core/unavailable");
    expect(toFault(new AggregateError([...plain(19), refused()])).reason).toBe("core/internal");
  });

  it("of ten thousand take no more time than twenty", async () => {
    const some = (count: number) => Array.from({ length: count }, () => new Error(CANARY));
    const read = (errors: readonly Error[]) => {
      expect(toFault(caused(...errors))).toEqual(MASKED);
      expect(toFault(new AggregateError(errors))).toEqual(MASKED);
    };
    const [few, many] = [some(20), some(10_000)];
    await expectCost({ work: () => read(many), yardstick: () => read(few), atMost: 60 });
  });
});

describe("a recognised error", () => {
  it("determines the kind, with the basis mapped and without its text", () => {
    const fault = toFault(Object.assign(new Error(CANARY), { code: "ECONNREFUSED" }));
    expect(fault).toEqual({
      v: 1,
      kind: "unavailable",
      class: "dependency",
      reason: "core/unavailable",
      message: "A service that this call needs cannot be reached.",
      recourse: [{ do: "retry" }],
      effect: "none",
      origin: { layer: "server" },
      basis: "mapped",
    });
  });

  it.each([
    ["abort before system", { name: "AbortError", code: "ECONNREFUSED" }, "core/timeout"],
    ["SDK before system", { name: "SdkError", code: "ECONNREFUSED" }, "core/internal"],
    ["database before system", { severity: "ERROR", code: "EPIPE" }, "core/internal"],
  ])("%s", (_, thrown, reason) => {
    expect(toFault(thrown).reason).toBe(reason);
  });

  it("of a retryable kind proves nothing about the effect", () => {
    const fault = toFault({ code: "EMFILE" });
    expect(fault).toMatchObject({ kind: "overloaded", effect: "possible", recourse: [{ do: "refresh" }] });
    expect(Object.isFrozen(fault)).toBe(true);
    expect(Object.isFrozen(fault.recourse)).toBe(true);
    expect(toFault({ severity: "ERROR", code: "23505" })).toMatchObject({ kind: "conflict", effect: "none" });
  });

  it("carries the origin that is given", () => {
    const origin = { layer: "gateway", name: "edge" } as const;
    expect(toFault({ code: "EMFILE" }, { origin }).origin).toEqual(origin);
    expect(toFault(CANARY, { origin }).origin).toEqual(origin);
    expect(toFault(CANARY, { origin, foreignText: "quote" }).origin).toEqual(origin);
  });
});

describe("quote mode", () => {
  it("does not quote errors of the JavaScript engine", async () => {
    const thrown = await new Response("swordfish").json().catch((error: unknown) => error);
    const fault = toFault(thrown, { foreignText: "quote" });
    expect(fault).toMatchObject({ kind: "upstream_failed", basis: "guessed" });
    expect(JSON.stringify(fault)).not.toContain("swordfish");
    expect(toFault(new SyntaxError("swordfish"), { foreignText: "quote" })).toEqual(MASKED);
    expect(toFault(new ReferenceError("nowhere is not defined"), { foreignText: "quote" })).toEqual(MASKED);
  });

  const quoteFault = (thrown: unknown) => toFault(thrown, { foreignText: "quote" });

  it.each([
    ["a string", "The shelf is empty."],
    ["an Error", new Error("The shelf is empty.")],
    ["an object with a message", { message: "The shelf is empty." }],
    ["several lines", "The shelf\n  is empty."],
  ])("quotes %s", (_, thrown) => {
    expect(quoteFault(thrown)).toEqual({
      v: 1,
      kind: "internal",
      class: "terminal",
      reason: "tool/execution_failed",
      message: "The tool failed.",
      quote: { text: "The shelf is empty.", from: "thrown" },
      recourse: [{ do: "refresh" }, { do: "stop" }],
      effect: "possible",
      origin: { layer: "server" },
      basis: "stated",
    });
  });

  it("is off by default", () => {
    expect(toFault("The shelf is empty.")).toEqual(MASKED);
    expect(toFault("The shelf is empty.", { foreignText: "hide" })).toEqual(MASKED);
  });

  it.each([
    ["a path", "/srv/data/report.pdf"],
    ["nothing", ""],
    ["blanks", " \n "],
    ["a number", 7],
    ["a message that is no text", { message: 7 }],
    ["null", null],
  ])("hides %s", (_, thrown) => {
    expect(quoteFault(thrown)).toEqual(MASKED);
    expect(quoteFault(new Error("x", { cause: thrown })).quote).toEqual({ text: "x", from: "thrown" });
  });

  it("keeps the kind of a recognised error", () => {
    const fault = quoteFault(Object.assign(new Error("The shelf is empty."), { code: "ECONNREFUSED" }));
    expect(fault).toMatchObject({
      kind: "unavailable",
      reason: "core/unavailable",
      quote: { text: "The shelf is empty.", from: "thrown" },
      recourse: [{ do: "retry" }],
    });
    const hostile = quoteFault(Object.assign(new Error("/srv/data/report.pdf"), { code: "ECONNREFUSED" }));
    expect(hostile.reason).toBe("core/unavailable");
    expect(hostile).not.toHaveProperty("quote");
  });

  it("keeps text of allowed groups, for every kind", () => {
    const options = { foreignText: "quote", allow: ["path"] } as const;
    const quote = { text: "See /srv/data/report.pdf there", from: "thrown" };
    expect(toFault("See /srv/data/report.pdf there", options).quote).toEqual(quote);
    expect(toFault({ message: "See /srv/data/report.pdf there", code: "EPIPE" }, options).quote).toEqual(quote);
    expect(toFault({ message: "See /srv/data/report.pdf there", code: "EMFILE" }, options).quote).toEqual(quote);
  });

  it("does not quote a FaultError", () => {
    expect(quoteFault(fail.conflict`Taken.`)).not.toHaveProperty("quote");
  });
});

describe("a FaultError", () => {
  it("keeps its fault", () => {
    const error = fail.conflict({ effect: "applied" })`Taken by ${"me"}.`;
    expect(toFault(error)).toBe(error.fault);
    expect(toFault(rate_limited())).toMatchObject({ effect: "none", recourse: [{ do: "retry" }] });
  });

  it("that is forged is checked like one from the wire", () => {
    const fault = {
      ...fail.conflict`Taken.`.fault,
      private: CANARY,
      quote: { text: "/srv/data/report.pdf", from: "peer" },
    };
    expect(toFault({ [BRAND]: true, fault })).toEqual(fail.conflict`Taken.`.fault);
    expect(toFault({ [BRAND]: "yes", fault })).toEqual(MASKED);
    expect(toFault(Object.create({ [BRAND]: true, fault }))).toEqual(MASKED);
  });

  it("that was changed after it was made is checked again", () => {
    const error = fail.conflict`Taken.`;
    Object.assign(error, { fault: { ...error.fault, private: CANARY } });
    expect(toFault(error)).toEqual(fail.conflict`Taken.`.fault);
  });
});

describe("a FaultError inside another error", () => {
  const wrap = (error: Error) => toFault(new Error(CANARY, { cause: error }));

  it("is used, since it says more", () => {
    expect(wrap(fail.not_found`No ${"x"}.`)).toEqual(fail.not_found`No ${"x"}.`.fault);
    expect(toFault(new AggregateError([new Error(CANARY), fail.not_found`No.`])).reason).toBe("adhoc/not_found");
    expect(toFault(Object.assign(new Error(CANARY, { cause: fail.not_found`No.` }), { code: "EPIPE" })).reason).toBe(
      "adhoc/not_found",
    );
  });

  it.each<[string, FaultError]>([
    ["rate_limited", rate_limited()],
    ["overloaded", overloaded()],
    ["busy", busy()],
    ["unavailable", unreachable()],
    ["timeout", fail.timeout({ effect: "none" })`Late.`],
    ["upstream_failed", fail.upstream_failed({ effect: "none" })`Failed.`],
    ["allowed to repeat", not_connected({}, { retry: { allowed: true, afterMs: 5 } })],
  ])("no longer proves that nothing happened: %s", (_, error) => {
    expect(error.fault).toMatchObject({ effect: "none", recourse: [{ do: "retry" }] });
    const fault = wrap(error);
    expect(fault).toEqual({ ...error.fault, effect: "possible", recourse: [{ do: "refresh" }] });
    expect(readFault(JSON.parse(JSON.stringify(fault)))).toEqual(fault);
  });

  it.each<[string, FaultError]>([
    ["a kind that never repeats", fail.conflict`Taken.`],
    ["possible already", fail.timeout`Late.`],
    ["applied", fail.unavailable({ effect: "applied" })`Gone.`],
    ["approval", fail.approval_required`Ask.`],
    ["credentials", fail.unauthenticated`Who?`],
  ])("stays as it is: %s", (_, error) => {
    expect(wrap(error)).toBe(error.fault);
  });

  it("keeps the moves of its author that repeat nothing", () => {
    const error = fail.overloaded({ recourse: [{ do: "retry" }, { do: "ask_user", approval: "a" }] })`Busy.`;
    expect(wrap(error).recourse).toEqual([{ do: "ask_user", approval: "a" }]);
  });

  it("keeps a quotation of an allowed group", () => {
    const quote = { text: "See /srv/data/report.pdf there", from: "upstream" } as const;
    expect(wrap(fail.overloaded({ quote, allow: ["path"] })`Busy.`).quote).toEqual(quote);
  });
});

describe("any thrown value", () => {
  const thrown = fc.oneof(
    fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withNullPrototype: true,
      withSparseArray: true,
    }),
    fc.record(
      {
        name: fc.constantFrom("AbortError", "SdkError", "SdkHttpError", "ProtocolError", "McpError", "constructor"),
        code: fc.oneof(
          fc.constantFrom("ECONNREFUSED", "EMFILE", "23505", "__proto__", "toString", -32602, -32000, 429),
          fc.anything(),
        ),
        severity: fc.constantFrom("ERROR", 7),
        message: fc.anything(),
        cause: fc.anything(),
        errors: fc.anything(),
        data: fc.anything(),
        fault: fc.anything(),
        [BRAND]: fc.constantFrom(true, false),
      },
      { requiredKeys: [] },
    ),
  );

  it.each([{ status: 409 }, { status: 503 }, { code: 429 }])(
    "filters the message of a reply without a body that it quotes: %o",
    (members) => {
      const thrown = Object.assign(
        new Error("The order service refused the order of today, since password=hunter2secret is old."),
        members,
      );
      const said = JSON.stringify(toFault(thrown, { foreignText: "quote" }));
      expect(said).toContain("since password=[removed]");
      expect(said).not.toContain("hunter2secret");
    },
  );

  it("quotes no empty message", () => {
    expect(toFault({ code: 429, message: "" }, { foreignText: "quote" })).not.toHaveProperty("quote");
  });

  it("becomes a valid fault, the same every time", () => {
    fc.assert(
      fc.property(thrown, fc.constantFrom("hide" as const, "public" as const, "quote" as const), (value, mode) => {
        const fault = toFault(value, { foreignText: mode });
        expect(readFault(JSON.parse(JSON.stringify(fault)))).toEqual(fault);
        expect(toFault(value, { foreignText: mode })).toEqual(fault);
      }),
      { numRuns: 300 },
    );
  });

  it("shows none of its text", () => {
    const text = fc.string({ minLength: 8, unit: "grapheme" }).filter((sample) => sample.trim().length >= 8);
    fc.assert(
      fc.property(text, fc.constantFrom("ECONNREFUSED", "EMFILE", "other"), (sample, code) => {
        const error = Object.assign(new Error(sample, { cause: sample }), { code, detail: sample, [sample]: sample });
        for (const value of [sample, error, { message: sample }, new AggregateError([error], sample)]) {
          expect(JSON.stringify(toFault(value))).not.toContain(JSON.stringify(sample).slice(1, -1));
        }
      }),
      { numRuns: 200 },
    );
  });
});
