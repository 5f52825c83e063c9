import type { Limiter } from "../../limits/limiter.ts";
import type { Step } from "../step.ts";

/** Takes a token of every limit that the call counts against. */
export function takeLimits(limiter: Limiter): Step {
  return (call) => limiter.take(call);
}
