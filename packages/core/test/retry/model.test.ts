import { runs } from "@recourse/test-kit/runs";
import { VirtualClock } from "@recourse/test-kit/virtual-clock";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRetryEngine } from "../../src/retry/index.ts";
import { overlappingProbes, violatedInvariants } from "./invariants.ts";
import { Model, type Prediction } from "./model.ts";
import { type CallRecord, runScripted } from "./run-scripted.ts";
import { scriptedCall } from "./scripted-calls.ts";

// A repetition that does harm is the worst bug of the engine, so these properties run more often than others.
const SEQUENCES = 10 * runs(1_000);
const CROWDS = 2 * runs(1_000);
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const failuresToOpen = fc.integer({ min: 1, max: 5 });

/** What the engine did, in the terms of the model. */
function summaryOf(
  { attempts, entries, outcome, endedMs, reauthorizations }: CallRecord,
  predicted: Prediction,
): Prediction {
  const last = entries.at(-1)?.decision;
  return {
    attempts: attempts.length,
    waits: entries.flatMap(({ decision }) => (decision?.do === "repeat" ? [decision.waitMs] : [])),
    stopped: last?.do === "stop" ? last.why : undefined,
    // A success does not report an effect.
    effect: outcome.ok === false ? outcome.fault.effect : predicted.effect,
    endedMs,
    reauthorizations,
  };
}

describe("the retry engine, with random peers in virtual time", { timeout: 600_000 }, () => {
  it("does what the model predicts and keeps the invariants, call after call", async () => {
    const sequence = fc.array(scriptedCall, { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(sequence, random, failuresToOpen, async (calls, share, failures) => {
        const clock = new VirtualClock();
        const options = { testing: { clock, random: () => share } };
        const engine = createRetryEngine({ ...options, breaker: { failures } });
        const model = new Model({ random: share, failures });
        const expected: Prediction[] = [];
        const done: Prediction[] = [];
        const violated: string[] = [];
        const all = (async () => {
          for (const call of calls) {
            await clock.sleep(call.gapMs);
            const predicted = model.predict(call, clock.now());
            const record = await runScripted(clock, engine, call);
            expected.push(predicted);
            done.push(summaryOf(record, predicted));
            violated.push(...violatedInvariants(call, record));
          }
        })();
        await clock.run();
        await all;
        expect(violated).toEqual([]);
        expect(done).toEqual(expected);
      }),
      { numRuns: SEQUENCES },
    );
  });

  it("keeps the invariants when calls overlap, and sends one probe at a time", async () => {
    const crowd = fc.array(scriptedCall, { minLength: 2, maxLength: 12 });
    const breakers = fc.record({
      failures: failuresToOpen,
      pauseMs: fc.integer({ min: 0, max: 3_000 }),
    });
    let probes = 0;
    await fc.assert(
      fc.asyncProperty(crowd, breakers, fc.infiniteStream(random), async (calls, breaker, stream) => {
        const clock = new VirtualClock();
        const draw = () => stream.next().value ?? 0;
        const engine = createRetryEngine({ testing: { clock, random: draw }, breaker });
        const all = calls.map(async (call) => {
          await clock.sleep(call.gapMs);
          return runScripted(clock, engine, call);
        });
        await clock.run();
        const records = await Promise.all(all);
        probes += records
          .flatMap(({ attempts }) => attempts)
          .filter(({ status }) => status.heldBackTools.length > 0).length;
        expect(calls.flatMap((call, index) => violatedInvariants(call, records[index] as CallRecord))).toEqual([]);
        expect(overlappingProbes(records)).toBe(0);
      }),
      { numRuns: CROWDS },
    );
    // Without enough probes the test would prove little.
    expect(probes).toBeGreaterThan(CROWDS / 10);
  });
});
