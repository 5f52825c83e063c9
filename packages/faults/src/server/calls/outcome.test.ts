import { describe, expect, it } from "vitest";
import { conflict, internal } from "../../reasons/library/core.ts";
import { effectOf, isEnded, type Outcome, readOutcome, writeOutcome } from "./outcome.ts";

const told = (fault: unknown) => ({ result: { isError: true, content: [], _meta: { "recourse/fault": fault } } });

describe("the outcome of a call", () => {
  it.each<[string, Outcome, string]>([
    ["a result", { result: { content: [] } }, "applied"],
    ["a fault", { fault: conflict.fault() }, "none"],
    ["a result that tells of a fault", told(internal.fault()), "possible"],
    ["a result that tells of a fault without effect", told(conflict.fault()), "none"],
    ["a result that tells of some failure", { result: { isError: true, content: [] } }, "applied"],
    ["a success that holds a fault", { result: { _meta: { "recourse/fault": conflict.fault() } } }, "applied"],
    ["nothing", { result: undefined }, "applied"],
  ])("has an effect: %s", (_what, outcome, effect) => {
    expect(effectOf(outcome)).toBe(effect);
  });

  it("is open while the caller is asked for more", () => {
    expect(isEnded({ result: { resultType: "input_required" } })).toBe(false);
    expect(isEnded({ result: { resultType: "complete" } })).toBe(true);
    expect(isEnded({ fault: conflict.fault() })).toBe(true);
  });

  it.each<[string, Outcome]>([
    ["a result", { result: { content: [{ type: "text", text: "é" }], structuredContent: { n: [1, null] } } }],
    ["a fault", { fault: internal.fault({}, { effect: "applied" }) }],
    ["null", { result: null }],
  ])("can be written and read again: %s", (_what, outcome) => {
    expect(readOutcome(writeOutcome(outcome))).toEqual(outcome);
  });

  it.each(["", "{", "null", "[]", "{}", '{"fault":{"v":1}}'])("is not read from %j", (text) => {
    expect(readOutcome(text)).toBeUndefined();
  });
});
