import { describe, expect, test } from "vitest";
import { render } from "../../../src/index.ts";
import { ERAS } from "../peers.ts";
import { type Ended, lostReplies } from "./lost-reply.ts";

/** A thousand calls in all. */
const WATCHED = [
  { watched: true, runs: 100 },
  { watched: false, runs: 67 },
];

/** What must hold for every call, whatever the server did. */
function expectHonest({ outcome, effects }: Ended): void {
  if (outcome.ok !== false) expect(effects).toBe(1);
  // A fault that rules out an effect is right about it.
  else if (outcome.fault.effect === "none") expect(effects).toBe(0);
}

describe.each(ERAS)("%s: replies are lost after the effect", (era) => {
  test.each(WATCHED)("a call that is not repeatable has at most one effect (watched: $watched)", async (how) => {
    const ended = await lostReplies({ era, keyed: false, seed: 20_261_115, ...how });
    expect(ended.filter(({ effects }) => effects > 1)).toEqual([]);
    for (const one of ended) {
      expectHonest(one);
      if (one.outcome.ok !== false || one.outcome.fault.effect === "none") continue;
      expect(one.outcome.fault.tried?.stopped).toBe("unsafe");
      expect(render(one.outcome.fault, { for: "model" })).toContain("do not start over");
      expect(render(one.outcome.fault, { for: "model" })).toContain("It may have taken effect. Look at");
    }
    const lost = ended.filter(({ outcome, effects }) => outcome.ok === false && effects > 0);
    expect(lost.length).toBeGreaterThan(how.runs / 10);
  });

  test.each(WATCHED)("a key makes it safe to repeat, and lost replies come back (watched: $watched)", async (how) => {
    const ended = await lostReplies({ era, keyed: true, seed: 15_112_026, ...how });
    expect(ended.filter(({ effects }) => effects > 1)).toEqual([]);
    for (const one of ended) expectHonest(one);
    // The effect was there and the reply was lost, and the key brought the reply back.
    const rescued = ended.filter(({ outcome, arrived }) => outcome.ok === true && arrived > 1);
    expect(rescued.length).toBeGreaterThan(how.runs / 20);
  });
});
