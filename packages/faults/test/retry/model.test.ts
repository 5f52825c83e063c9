import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/retry/index.ts";
import { VirtualClock } from "./clock.ts";
import { drive, type Seen } from "./drive.ts";
import { brokenLaws, overlappingProbes } from "./laws.ts";
import { Model, type Prediction } from "./model.ts";
import { scripted } from "./script.ts";

// Whether a repetition can do harm is the heart of the matter, so these numbers are never lowered.
const SEQUENCES = 10_000;
const CROWDS = 2_000;
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const failuresToOpen = fc.integer({ min: 1, max: 5 });

/** What the engine said and did, in the terms of the model. */
function inShort({ made, entries, outcome, endedMs, renewals }: Seen, predicted: Prediction): Prediction {
  const last = entries.at(-1)?.decision;
  return {
    attempts: made.length,
    waits: entries.flatMap(({ decision }) => (decision?.do === "repeat" ? [decision.waitMs] : [])),
    stopped: last?.do === "stop" ? last.why : undefined,
    // A success says nothing about effects.
    effect: outcome.ok === false ? outcome.fault.effect : predicted.effect,
    endedMs,
    renewals,
  };
}

describe("the engine, on random peers in virtual time", () => {
  it("does what the model predicts and keeps the laws, call after call", async () => {
    const sequence = fc.array(scripted, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(sequence, random, failuresToOpen, async (calls, share, failures) => {
        const clock = new VirtualClock();
        const options = { now: clock.now, sleep: clock.sleep, random: () => share };
        const engine = createEngine({ ...options, breaker: { failures } });
        const model = new Model({ random: share, failures });
        const expected: Prediction[] = [];
        const done: Prediction[] = [];
        const broken: string[] = [];
        const all = (async () => {
          for (const call of calls) {
            await clock.sleep(call.gapMs);
            const predicted = model.predict(call, clock.now());
            const seen = await drive(clock, engine, call);
            expected.push(predicted);
            done.push(inShort(seen, predicted));
            broken.push(...brokenLaws(call, seen));
          }
        })();
        await clock.run();
        await all;
        expect(broken).toEqual([]);
        expect(done).toEqual(expected);
        expect(engine.status()).toMatchObject({ calls: 0, repetitions: 0 });
      }),
      { numRuns: SEQUENCES },
    );
  });

  it("keeps the laws when calls overlap, and sends one probe at a time", async () => {
    const crowd = fc.array(scripted, { minLength: 2, maxLength: 12 });
    const breakers = fc.record({
      failures: failuresToOpen,
      pauseMs: fc.integer({ min: 0, max: 3_000 }),
    });
    let probes = 0;
    await fc.assert(
      fc.asyncProperty(crowd, breakers, fc.infiniteStream(random), async (calls, breaker, stream) => {
        const clock = new VirtualClock();
        const draw = () => stream.next().value ?? 0;
        const engine = createEngine({ now: clock.now, sleep: clock.sleep, random: draw, breaker });
        const all = calls.map(async (call) => {
          await clock.sleep(call.gapMs);
          return drive(clock, engine, call);
        });
        await clock.run();
        const seen = await Promise.all(all);
        probes += seen.flatMap(({ made }) => made).filter(({ status }) => status.breaker === "half-open").length;
        expect(calls.flatMap((call, index) => brokenLaws(call, seen[index] as Seen))).toEqual([]);
        expect(overlappingProbes(seen)).toBe(0);
        expect(engine.status()).toMatchObject({ calls: 0, repetitions: 0 });
      }),
      { numRuns: CROWDS },
    );
    // The law would say little if hardly any probe was sent.
    expect(probes).toBeGreaterThan(CROWDS / 10);
  });
});
