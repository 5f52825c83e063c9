import { isNightly } from "@recourse/test-kit/runs";
import { ERAS } from "@recourse/test-kit/sdk-pairs";
import { describe, expect, test } from "vitest";
import { render } from "../../../src/index.ts";
import { callWithLostReplies, type EndedCall } from "./lost-reply.ts";

/** A thousand calls in total at night. */
const VARIANTS = [
  { observed: true, calls: isNightly ? 100 : 40 },
  { observed: false, calls: isNightly ? 67 : 30 },
];

/** What holds for every call, whatever the server did. */
function expectCorrectEffect({ outcome, effects }: EndedCall): void {
  if (outcome.ok !== false) expect(effects).toBe(1);
  // A fault with the effect `none` must be right.
  else if (outcome.fault.effect === "none") expect(effects).toBe(0);
}

describe.each(ERAS)("%s: replies are lost after the effect", (era) => {
  test.each(VARIANTS)("a call that is not repeatable has at most one effect (observed: $observed)", async (variant) => {
    const ended = await callWithLostReplies({ era, withKeys: false, seed: 20_261_115, ...variant });
    expect(ended.filter(({ effects }) => effects > 1)).toEqual([]);
    for (const one of ended) {
      expectCorrectEffect(one);
      if (one.outcome.ok !== false || one.outcome.fault.effect === "none") continue;
      expect(one.outcome.fault.tried?.stopped).toBe("unsafe");
      expect(render(one.outcome.fault, { for: "model" })).toMatch(/(?:before|instead of) repeating the call\./);
      expect(render(one.outcome.fault, { for: "model" })).toContain("The call may have taken effect. Check");
    }
    const lost = ended.filter(({ outcome, effects }) => outcome.ok === false && effects > 0);
    expect(lost.length).toBeGreaterThan(variant.calls / 10);
  });

  test.each(VARIANTS)("a key makes a retry safe, and gets lost replies back (observed: $observed)", async (variant) => {
    const ended = await callWithLostReplies({ era, withKeys: true, seed: 15_112_026, ...variant });
    expect(ended.filter(({ effects }) => effects > 1)).toEqual([]);
    for (const one of ended) expectCorrectEffect(one);
    // The call had its effect, its reply was lost, and the key got the reply back.
    const rescued = ended.filter(({ outcome, requests }) => outcome.ok === true && requests > 1);
    expect(rescued.length).toBeGreaterThan(variant.calls / 20);
  });
});
