import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../test/runs.ts";
import { conflict, internal, rate_limited, timeout } from "../reasons/library/core.ts";
import { generators } from "../testing/generators.ts";
import { amendFault, worseEffect } from "./amend.ts";
import { EFFECTS } from "./kinds.ts";
import { isFault } from "./read-fault.ts";

const any = generators(fc);

describe("amendFault", () => {
  it("derives moves again that were derived", () => {
    const fault = timeout.fault();
    expect(fault.recourse).toEqual([{ do: "refresh" }]);
    expect(amendFault(fault, { effect: "none" }).recourse).toEqual([{ do: "retry" }]);
    expect(amendFault(fault, { effect: "possible" }).recourse).toBe(fault.recourse);
  });

  it("keeps moves that an author chose, as far as they are allowed", () => {
    const chosen = rate_limited.fault({}, { recourse: [{ do: "retry", afterMs: 5 }, { do: "ask_user" }] });
    expect(amendFault(chosen, { basis: "mapped" }).recourse).toEqual(chosen.recourse);
    expect(amendFault(chosen, { effect: "possible" }).recourse).toEqual([{ do: "ask_user" }]);
  });

  it("keeps the wait of a derived retry", () => {
    const fault = rate_limited.fault({}, { afterMs: 700 });
    expect(amendFault(fault, { limits: undefined, issues: undefined }).recourse).toEqual([
      { do: "retry", afterMs: 700 },
    ]);
  });

  it("removes a member that a fault may lack, and leaves one that it must have", () => {
    const fault = conflict.fault({}, { quote: { text: "Taken.", from: "peer" } });
    expect(amendFault(fault, { quote: undefined })).not.toHaveProperty("quote");
    expect(amendFault(fault, { effect: undefined, origin: undefined, basis: undefined })).toEqual(fault);
  });

  it("gives a frozen fault with its members in one order, and leaves the given one alone", () => {
    const changes = fc.record({ effect: fc.constantFrom(...EFFECTS) }, { requiredKeys: [] });
    fc.assert(
      fc.property(any.fault(), changes, (fault, change) => {
        const before = JSON.stringify(fault);
        const amended = amendFault(fault, change);
        expect(isFault(amended)).toBe(true);
        expect(Object.isFrozen(amended) && Object.isFrozen(amended.recourse)).toBe(true);
        expect(JSON.stringify(fault)).toBe(before);
        expect(JSON.stringify(amendFault(amended, {}))).toBe(JSON.stringify(amended));
        // A retry never stands beside an effect that forbids it.
        const isRaised = worseEffect(fault.effect, amended.effect) !== fault.effect;
        if (isRaised) expect(amended.recourse.some((move) => move.do === "retry")).toBe(false);
      }),
      { numRuns: runs() },
    );
  });
});

it("knows the worse of two effects", () => {
  for (const one of EFFECTS)
    for (const other of EFFECTS)
      expect(worseEffect(one, other)).toBe(EFFECTS[Math.max(EFFECTS.indexOf(one), EFFECTS.indexOf(other))]);
  expect(internal.fault().effect).toBe("possible");
});
