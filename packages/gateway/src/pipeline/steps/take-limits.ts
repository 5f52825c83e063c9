import type { Fault } from "@recourse/faults";
import type { Limiter } from "../../limits/limiter.ts";
import type { Call } from "../call.ts";
import type { Step } from "../step.ts";

/** Takes a token of every limit that the call counts against. */
export function takeLimits(limiter: Limiter): Step {
  return (call) => {
    const taken = limiter.take(call);
    return taken instanceof Promise ? taken.then((fault) => noteRefusal(call, fault)) : noteRefusal(call, taken);
  };
}

function noteRefusal(call: Call, fault: Fault | undefined): Fault | undefined {
  call.isRefused = fault !== undefined;
  return fault;
}
