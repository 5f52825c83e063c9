import { describe, expect, it, vi } from "vitest";
import { HeldOutcomes } from "./held-outcomes.ts";

const ONE = { id: "acme one", tenant: "acme" };
const outcome = (bytes = 1) => ({ answer: Buffer.alloc(bytes) });

describe("what came of a call for which nobody waited", () => {
  it("is given once, to its caller", () => {
    const kept = new HeldOutcomes({ now: () => 0 });
    const given = outcome();
    kept.keep("a", ONE, given);
    expect(kept.take("a", "acme two")).toBeUndefined();
    expect(kept.take("a", ONE.id)).toBe(given);
    expect(kept.take("a", ONE.id)).toBeUndefined();
    kept.close();
  });

  it("is forgotten after its time, also where nobody asks", () => {
    vi.useFakeTimers();
    const kept = new HeldOutcomes({ keepMs: 1_000, now: () => performance.now() });
    kept.keep("a", ONE, outcome());
    vi.advanceTimersByTime(600);
    kept.keep("b", ONE, outcome());
    vi.advanceTimersByTime(600);
    expect(kept.size).toBe(1);
    vi.advanceTimersByTime(600);
    expect(kept.size).toBe(0);
    vi.useRealTimers();
  });

  it("takes no more memory than there is for it, and leaves some to other callers", () => {
    const kept = new HeldOutcomes({ maxBytes: 1_000_000, now: () => 0 });
    for (let at = 0; at < 1_000; at++) kept.keep(`a${at}`, ONE, outcome(10_000));
    const alone = kept.size;
    expect(alone).toBeLessThan(71);
    expect(alone).toBeGreaterThan(30);
    const two = { id: "other two", tenant: "other" };
    kept.keep("b", two, outcome(10_000));
    expect(kept.take("b", two.id)).toBeDefined();
    for (let at = 0; at < alone; at++) kept.take(`a${at}`, ONE.id);
    expect(kept.size).toBe(0);
    kept.keep("again", ONE, outcome(10_000));
    expect(kept.size).toBe(1);
    kept.close();
  });
});
