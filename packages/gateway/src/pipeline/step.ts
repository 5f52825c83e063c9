import type { Fault } from "@recourse/faults";
import type { Call } from "./call.ts";

/** One step: undefined lets the call go on, a fault ends it. It returns a promise only where it waits. */
export type Step = (call: Call) => Fault | undefined | Promise<Fault | undefined>;

/** Runs the steps in turn, up to the first fault. */
export function runSteps(steps: readonly Step[], call: Call): Fault | undefined | Promise<Fault | undefined> {
  for (let at = 0; at < steps.length; at++) {
    const outcome = (steps[at] as Step)(call);
    if (outcome instanceof Promise) return runRest(steps, call, at + 1, outcome);
    if (outcome !== undefined) return outcome;
  }
  return undefined;
}

/** The steps after one that waits. One function for all of them: a chain of promises costs more at each step. */
async function runRest(
  steps: readonly Step[],
  call: Call,
  from: number,
  waiting: Promise<Fault | undefined>,
): Promise<Fault | undefined> {
  let fault = await waiting;
  for (let at = from; fault === undefined && at < steps.length; at++) {
    const outcome = (steps[at] as Step)(call);
    fault = outcome instanceof Promise ? await outcome : outcome;
  }
  return fault;
}
