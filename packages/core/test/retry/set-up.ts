import { VirtualClock } from "@recourse/test-kit/virtual-clock";
import type { Fault } from "../../src/fault/fault.ts";
import {
  type Attempt,
  createRetryEngine,
  type DecisionRecord,
  type RetryCall,
  type RetryEngineOptions,
} from "../../src/retry/index.ts";

/** A successful outcome. */
interface Good {
  readonly ok: true;
  readonly result: string;
}

/** The outcome of every successful attempt. */
export const GOOD: Good = { ok: true, result: "milk" };

/** An engine in virtual time, with a peer that answers attempts from a list. The last answer repeats. */
export function setUp(options: Partial<RetryEngineOptions> = {}) {
  const clock = new VirtualClock();
  const engine = createRetryEngine({
    ...options,
    testing: { random: () => 0.5, ...options.testing, clock: { ...clock, ...options.testing?.clock } },
  });
  const peer = (answers: readonly (Fault | Good)[], takesMs = 10): Attempt<Good> & { made: number } => {
    const attempt = Object.assign(
      async () => {
        const answer = answers[Math.min(attempt.made, answers.length - 1)] ?? GOOD;
        attempt.made += 1;
        await clock.sleep(takesMs);
        return "ok" in answer ? answer : { ok: false as const, fault: answer };
      },
      { made: 0 },
    );
    return attempt;
  };
  const run = async (attempt: Attempt<Good>, call: Partial<RetryCall> = {}) => {
    const entries: DecisionRecord[] = [];
    const onDecision = (entry: DecisionRecord) => entries.push(entry);
    const outcome = engine.run({ tool: "get", repeatable: false, onDecision, ...call }, attempt);
    await clock.run();
    const out = await outcome;
    return { out, fault: out.ok === false ? out.fault : undefined, entries };
  };
  return { clock, engine, peer, run };
}
