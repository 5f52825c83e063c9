import { describe, expect, it } from "vitest";
import { NegotiateOnce, type Negotiation } from "./negotiate.ts";

const AGREED: Negotiation = {
  era: "2026-07-28",
  about: { capabilities: {}, instructions: undefined },
  session: undefined,
};

describe("NegotiateOnce", () => {
  it("takes an exception for a failure of the upstream, and tries again after the pause", async () => {
    let nowMs = 0;
    let attempts = 0;
    const ends: unknown[] = [];
    const broken = new Error("out of order");
    const once = new NegotiateOnce({
      run: () => {
        attempts += 1;
        return attempts === 1 ? Promise.reject(broken) : Promise.resolve(AGREED);
      },
      onEnd: (ended) => void ends.push(ended),
      now: () => nowMs,
    });
    const { signal } = new AbortController();
    const unavailable = { reason: "core/unavailable", effect: "none" };
    expect(await once.ready(signal)).toMatchObject(unavailable);
    expect(ends).toMatchObject([{ cause: broken }]);
    expect(once.ready(signal)).toMatchObject(unavailable);
    nowMs = 1_000;
    expect(await once.ready(signal)).toBe(AGREED);
    expect(attempts).toBe(2);
  });
});
