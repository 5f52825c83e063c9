import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hostile } from "../../test/arbitraries.ts";
import { createSecretFilter } from "../safety/secrets.ts";
import { type Authored, buildFault, cutCauses, type FaultDetails, type FaultParts } from "./build.ts";
import type { Fault } from "./fault.ts";
import { KINDS, type Kind } from "./kinds.ts";

const parts = (kind: Kind, more: Partial<FaultParts> = {}): FaultParts => ({
  kind,
  reason: `test/${kind}`,
  message: "It failed." as Authored,
  ...more,
});

describe("buildFault", () => {
  it.each(Object.keys(KINDS) as Kind[])("fills in what follows from %s", (kind) => {
    const { class: group, effect } = KINDS[kind];
    const fault = buildFault(parts(kind));
    expect(fault).toStrictEqual({
      v: 1,
      kind,
      class: group,
      reason: `test/${kind}`,
      message: "It failed.",
      recourse: fault.recourse,
      effect,
      origin: { layer: "server" },
      basis: "stated",
    });
    expect(fault.recourse).toHaveLength(1);
  });

  const details = {
    effect: "applied",
    retry: { allowed: false, afterMs: 1 },
    issues: [{ pointer: "/a", rule: "type" }],
    limits: [{ policy: "burst" }],
    recourse: [{ do: "do_first", tool: "login" }],
    quote: { text: "It broke", from: "peer" },
    origin: { layer: "gateway", name: "edge" },
    basis: "guessed",
    tried: { attempts: 3, elapsedMs: 20, stopped: "attempts" },
  } as const satisfies FaultDetails;

  it("keeps every detail, in one order", () => {
    const cause = buildFault(parts("timeout"));
    const fault = buildFault(parts("conflict", { ...details, params: { a: 1 }, cause }));
    expect(fault).toStrictEqual({
      ...{ v: 1, kind: "conflict", class: "terminal", reason: "test/conflict", message: "It failed." },
      ...details,
      params: { a: 1 },
      cause,
    });
    expect(Object.keys(fault).join(" ")).toBe(
      "v kind class reason message params quote recourse effect retry issues limits origin basis tried cause",
    );
  });

  it("drops details that do not fit", () => {
    const wrong = {
      retry: { allowed: 1 },
      issues: "x",
      limits: [{}],
      recourse: [{ do: "pray" }],
      quote: { text: "x" },
      origin: { layer: "moon" },
      tried: {},
      afterMs: "5",
    } as unknown as FaultDetails;
    expect(buildFault(parts("overloaded", wrong))).toStrictEqual(buildFault(parts("overloaded")));
  });

  it("reads an unknown value as the less certain one", () => {
    const vague = { effect: "partly", basis: "dreamt" } as unknown as FaultDetails;
    expect(buildFault(parts("conflict", vague))).toMatchObject({ effect: "possible", basis: "guessed" });
  });

  it("derives the next move from the details", () => {
    expect(buildFault(parts("rate_limited", { afterMs: 5 })).recourse).toEqual([{ do: "retry", afterMs: 5 }]);
    expect(buildFault(parts("timeout", { repeatable: true })).recourse).toEqual([{ do: "retry" }]);
    expect(buildFault(parts("unavailable", { effect: "none" })).recourse).toEqual([{ do: "retry" }]);
    expect(buildFault(parts("overloaded", { retry: { allowed: false } })).recourse).toEqual([{ do: "stop" }]);
    expect(buildFault(parts("invalid_input", { issues: [{ pointer: "/a", rule: "type" }] })).recourse).toEqual([
      { do: "fix_input", fields: ["/a"] },
    ]);
  });

  it("lets an author choose moves, but not repeat what may have had an effect", () => {
    const recourse = [{ do: "retry" }, { do: "ask_user" }] as const;
    expect(buildFault(parts("conflict", { recourse })).recourse).toEqual(recourse);
    expect(buildFault(parts("conflict", { recourse, effect: "possible" })).recourse).toEqual([{ do: "ask_user" }]);
    expect(buildFault(parts("conflict", { recourse, effect: "possible", repeatable: true })).recourse).toEqual(
      recourse,
    );
  });

  it("never shows a secret in a detail", () => {
    const secret = "hunter2hunter2";
    const fault = buildFault(
      parts("rate_limited", {
        secrets: createSecretFilter([secret]),
        issues: [{ pointer: `/${secret}`, rule: "type", expected: secret, suggestion: secret }],
        limits: [{ policy: secret }],
        recourse: [{ do: "do_first", tool: secret }],
        quote: { text: secret, from: "peer" },
        origin: { layer: "gateway", name: secret },
      }),
    );
    expect(JSON.stringify(fault)).not.toContain(secret);
    expect(fault).toMatchObject({ issues: [{ pointer: "", rule: "type" }], origin: { layer: "gateway" } });
  });

  it("does not apply rules of allowed groups", () => {
    const quote = { text: "see ![x](y)", from: "peer" } as const;
    expect(buildFault(parts("conflict", { quote })).quote).toBeUndefined();
    expect(buildFault(parts("conflict", { quote, allow: ["markup"] })).quote).toEqual(quote);
  });

  it("uses the general message of the kind if the message is empty", () => {
    expect(buildFault(parts("conflict", { message: "" as Authored })).message).toBe(
      "The call conflicts with the current state.",
    );
  });

  it("keeps at most twenty params", () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
    expect(buildFault(parts("conflict", { params: many(20) })).params).toStrictEqual(many(20));
    const cut = buildFault(parts("conflict", { params: many(21) })).params;
    expect(cut).toStrictEqual(many(20));
    expect(Object.isFrozen(cut)).toBe(true);
  });

  it("survives hostile details", () => {
    const keys = ["effect", "retry", "issues", "limits", "recourse", "quote", "origin", "basis", "tried", "afterMs"];
    fc.assert(
      fc.property(fc.constantFrom(...keys), hostile, fc.boolean(), (key, value, listed) => {
        const fault = buildFault(parts("conflict", { [key]: listed ? [value.value] : value.value } as FaultDetails));
        expect(fault.kind).toBe("conflict");
        expect(JSON.parse(JSON.stringify(fault))).toEqual(fault);
      }),
      { numRuns: 300 },
    );
  });
});

describe("cutCauses", () => {
  const chain = (length: number): Fault => {
    const fault = buildFault({ ...parts("internal"), reason: `test/n${length}` });
    return length === 1 ? fault : Object.freeze({ ...fault, cause: chain(length - 1) });
  };
  const depth = (fault: Fault | undefined): number => (fault === undefined ? 0 : 1 + depth(fault.cause));

  it.each([
    [1, 3, 1],
    [3, 3, 3],
    [4, 3, 3],
    [9, 3, 3],
    [2, 1, 1],
    [2, 0, 0],
    [1, -1, 0],
  ])("cuts a chain of %d at %d to %d", (length, max, expected) => {
    expect(depth(cutCauses(chain(length), max))).toBe(expected);
  });

  it("does not change a short chain or the given fault", () => {
    const short = chain(3);
    expect(cutCauses(short, 3)).toBe(short);
    const long = chain(4);
    const cut = cutCauses(long, 3);
    expect([cut?.reason, cut?.cause?.reason, cut?.cause?.cause?.reason]).toEqual(["test/n4", "test/n3", "test/n2"]);
    expect([cut, cut?.cause, cut?.cause?.cause].every(Object.isFrozen)).toBe(true);
    expect(Object.hasOwn(cut?.cause?.cause ?? {}, "cause")).toBe(false);
    expect(depth(long)).toBe(4);
  });

  it("leaves three causes below a built fault", () => {
    expect(depth(buildFault(parts("internal", { cause: chain(5) })))).toBe(4);
    expect(depth(buildFault(parts("internal", { cause: chain(2) })))).toBe(3);
  });
});
