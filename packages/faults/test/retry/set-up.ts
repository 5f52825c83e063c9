import type { Fault } from "../../src/fault/fault.ts";
import { type Attempt, type Call, createEngine, type EngineOptions, type Entry } from "../../src/retry/index.ts";
import { VirtualClock } from "./clock.ts";

/** A success that can be told from others. */
interface Good {
  readonly ok: true;
  readonly result: string;
}

/** How every good attempt ends. */
export const GOOD: Good = { ok: true, result: "milk" };

/** An engine in virtual time, whose peer answers each call from a list; the last answer goes on for ever. */
export function setUp(options: Partial<EngineOptions> = {}) {
  const clock = new VirtualClock();
  const engine = createEngine({ now: clock.now, sleep: clock.sleep, random: () => 0.5, ...options });
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
  const run = async (attempt: Attempt<Good>, call: Partial<Call> = {}) => {
    const entries: Entry[] = [];
    const onDecision = (entry: Entry) => entries.push(entry);
    const outcome = engine.run({ tool: "get", repeatable: false, onDecision, ...call }, attempt);
    await clock.run();
    const out = await outcome;
    return { out, fault: out.ok === false ? out.fault : undefined, entries };
  };
  return { clock, engine, peer, run };
}
