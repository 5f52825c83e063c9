import type { Fault } from "@recourse/faults";
import type { Limiter } from "../../limits/limiter.ts";
import type { Call } from "../call.ts";
import type { Step } from "../step.ts";

/**
 * Lets a step before the limits cost something: what it refuses takes tokens of its caller. The fault of the limit takes the
 * place of the refusal where no token is left, and then the step does not run for a moment.
 */
export function countRefused({ refusedMessages }: Pick<Limiter, "refusedMessages">, step: Step): Step {
  const settle = (call: Call, fault: Fault | undefined): Fault | undefined | Promise<Fault | undefined> => {
    if (fault === undefined || call.caller === undefined) return fault;
    const limited = refusedMessages.count(call.caller, call.bodyBytes);
    return limited instanceof Promise ? limited.then((one) => one ?? fault) : (limited ?? fault);
  };
  return (call) => {
    const paused = call.caller === undefined ? undefined : refusedMessages.check(call.caller);
    if (paused !== undefined) return paused;
    const outcome = step(call);
    return outcome instanceof Promise ? outcome.then((fault) => settle(call, fault)) : settle(call, outcome);
  };
}
