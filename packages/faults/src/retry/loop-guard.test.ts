import { describe, expect, it } from "vitest";
import type { Fault } from "../fault/fault.ts";
import { fail } from "../reasons/fail.ts";
import { createLoopGuard, type LoopGuard } from "./loop-guard.ts";

const missing = fail.not_found`It is not there.`.fault;
const wrong = fail.invalid_input({ issues: [{ pointer: "/a", rule: "type" }] })`Wrong.`.fault;
const fails = (guard: LoopGuard, fault: Fault, tool = "find") =>
  guard.failed(tool, fault, { attempts: 2, elapsedMs: 10 });

describe("a loop guard", () => {
  it("says stop from the third equal failure on, with all that was tried", () => {
    const guard = createLoopGuard();
    expect(fails(guard, missing)).toBe(missing);
    expect(fails(guard, missing)).toBe(missing);
    expect(fails(guard, missing)).toEqual({
      ...missing,
      recourse: [{ do: "stop" }],
      tried: { attempts: 6, elapsedMs: 30, stopped: "looping" },
    });
    expect(fails(guard, missing).tried).toEqual({ attempts: 8, elapsedMs: 40, stopped: "looping" });
  });

  it("counts each tool and each failure by itself", () => {
    const guard = createLoopGuard({ limit: 2 });
    fails(guard, missing);
    expect(fails(guard, missing, "other")).toBe(missing);
    expect(fails(guard, wrong)).toBe(wrong);
    expect(fails(guard, wrong).tried?.stopped).toBe("looping");
    expect(fails(guard, missing).tried?.stopped).toBe("looping");
  });

  it("starts anew after any success, so that polling stays legal", () => {
    const guard = createLoopGuard();
    for (let round = 0; round < 10; round++) {
      expect(fails(guard, missing)).toBe(missing);
      expect(fails(guard, missing)).toBe(missing);
      guard.succeeded();
    }
  });

  it("never counts a cancellation", () => {
    const guard = createLoopGuard({ limit: 1 });
    const cancelled = fail.cancelled`Gone.`.fault;
    expect(fails(guard, cancelled)).toBe(cancelled);
  });

  it("forgets the failure that was seen longest ago", () => {
    const guard = createLoopGuard({ limit: 2, remembered: 2 });
    fails(guard, missing, "a");
    fails(guard, missing, "b");
    fails(guard, missing, "a");
    fails(guard, missing, "c");
    expect(fails(guard, missing, "a").tried?.stopped).toBe("looping");
    expect(fails(guard, missing, "b")).toBe(missing);
  });

  it("replaces numbers that make no sense", () => {
    const guard = createLoopGuard({ limit: 0, remembered: Number.NaN });
    expect(fails(guard, missing)).toBe(missing);
    expect(fails(guard, missing)).toBe(missing);
    expect(fails(guard, missing).tried?.stopped).toBe("looping");
  });
});
