import { describe, expect, it } from "vitest";
import { stampFault } from "../fault/amend.ts";
import type { FaultDetails } from "../fault/build.ts";
import type { Fault, Issue } from "../fault/fault.ts";
import { fail } from "../reasons/fail.ts";
import { internal } from "../reasons/library/core.ts";
import { createLoopGuard, fingerprint, type LoopGuard } from "./loop-guard.ts";

const missing = fail.not_found`It is not there.`.fault;
const wrong = fail.invalid_input({ issues: [{ pointer: "/a", rule: "type" }] })`Wrong.`.fault;
const SPENT = { attempts: 2, elapsedMs: 10 };
const fails = (guard: LoopGuard, fault: Fault, tool = "find", args?: object) =>
  guard.failed({ tool, arguments: args }, fault, SPENT);

describe("a loop guard", () => {
  it("says stop from the third equal failure on, with the attempts of that call only", () => {
    const guard = createLoopGuard();
    expect(fails(guard, missing)).toBe(missing);
    expect(fails(guard, missing)).toBe(missing);
    expect(fails(guard, missing)).toEqual({
      ...missing,
      recourse: [{ do: "stop" }],
      tried: { attempts: 2, elapsedMs: 10, stopped: "looping", equalFailures: 3 },
    });
    expect(fails(guard, missing).tried).toEqual({ ...SPENT, stopped: "looping", equalFailures: 4 });
  });

  it("counts only calls with equal arguments", () => {
    const guard = createLoopGuard();
    for (let order = 0; order < 10; order++) expect(fails(guard, missing, "find", { order })).toBe(missing);
    expect(fails(guard, missing, "find", { order: 7, why: "a" })).toBe(missing);
    expect(fails(guard, missing, "find", { why: "a", order: 7 })).toBe(missing);
    expect(fails(guard, missing, "find", { order: 7, why: "a" }).tried?.equalFailures).toBe(3);
  });

  it("never counts a call that was not sent", () => {
    const guard = createLoopGuard();
    const unsent = () => guard.failed({ tool: "find" }, missing, { attempts: 0, elapsedMs: 10 });
    expect([unsent(), unsent(), unsent()]).toEqual([missing, missing, missing]);
  });

  it("counts each tool and each failure by itself", () => {
    const guard = createLoopGuard();
    for (let time = 0; time < 2; time++) {
      expect(fails(guard, missing)).toBe(missing);
      expect(fails(guard, missing, "other")).toBe(missing);
      expect(fails(guard, wrong)).toBe(wrong);
    }
    expect(fails(guard, wrong).tried?.stopped).toBe("looping");
    expect(fails(guard, missing).tried?.stopped).toBe("looping");
  });

  it("starts again after any success, so that polling is allowed", () => {
    const guard = createLoopGuard();
    for (let round = 0; round < 10; round++) {
      expect(fails(guard, missing)).toBe(missing);
      expect(fails(guard, missing)).toBe(missing);
      guard.succeeded();
    }
  });

  it("never counts a cancellation", () => {
    const guard = createLoopGuard();
    const cancelled = fail.cancelled`Gone.`.fault;
    for (let time = 0; time < 4; time++) expect(fails(guard, cancelled)).toBe(cancelled);
  });

  it("forgets the oldest of very many failures", () => {
    const guard = createLoopGuard();
    for (let time = 0; time < 2; time++) fails(guard, missing, "first");
    for (let other = 0; other < 256; other++) fails(guard, missing, `other ${other}`);
    expect(fails(guard, missing, "first")).toBe(missing);
  });
});

const wrongArguments = (issues: readonly Issue[], more: FaultDetails = {}) =>
  fail.invalid_input({ issues, ...more })`Wrong.`.fault;
const ageIssue: Issue = { pointer: "/age", rule: "range", expected: "1 to 9" };
const nameIssue: Issue = { pointer: "/name", rule: "required" };

describe("a fingerprint", () => {
  it("differs by kind, reason and wrong arguments", () => {
    const faults = [
      fail.internal`Broken.`.fault,
      fail.conflict`Broken.`.fault,
      internal.fault(),
      wrongArguments([]),
      wrongArguments([ageIssue]),
      wrongArguments([nameIssue]),
      wrongArguments([ageIssue, nameIssue]),
      wrongArguments([{ ...ageIssue, rule: "type" }]),
    ];
    expect(new Set(faults.map(fingerprint)).size).toBe(faults.length);
  });

  it("does not depend on words, order, ids, times and attempts", () => {
    const first = fingerprint(wrongArguments([ageIssue, nameIssue]));
    const other = wrongArguments([nameIssue, { ...ageIssue, expected: "10 to 90" }, nameIssue], {
      quote: { text: "other", from: "peer" },
      tried: { attempts: 2, elapsedMs: 7, stopped: "final" },
      limits: [{ quota: 5 }],
    });
    expect(fingerprint(other)).toBe(first);
    const stamped = stampFault(fail.internal`One way.`.fault, {
      incident: "01ARZ3NDEKTSV4RRFFQ69G5FAV",
      at: "2026-11-14T09:30:00Z",
    });
    expect(fingerprint(stamped)).toBe(fingerprint(fail.internal`Another way.`.fault));
  });
});

describe("the comparison of arguments", () => {
  const counted = (...calls: readonly unknown[]) => {
    const guard = createLoopGuard();
    const times = (args: unknown) => fails(guard, missing, "find", args as object).tried?.equalFailures;
    for (let time = 0; time < 2; time++) for (const args of calls) times(args);
    return calls.map(times);
  };

  it("tells apart what differs in a value, a type, a member or the order of items", () => {
    const different = [{}, { a: 1 }, { a: "1" }, { a: [1, 2] }, { a: [2, 1] }, { b: 1 }, { a: 1, b: 1 }, { a: {} }];
    expect(counted(...different)).toEqual(different.map(() => 3));
  });

  it.each<[string, unknown]>([
    ["too long a text", { a: "z".repeat(65_537) }],
    ["too many members", Object.fromEntries(Array.from({ length: 60_000 }, (_, at) => [`k${at}`, at]))],
    ["too many items", { a: new Array(65_537).fill(0) }],
    ["a number that JSON does not know", { a: 1n }],
    ["a circle", circle()],
  ])("gives up for %s", (_, args) => {
    expect(counted(args, args)).toEqual([undefined, undefined]);
  });
});

function circle(): object {
  const args: { self?: object } = {};
  args.self = args;
  return args;
}
