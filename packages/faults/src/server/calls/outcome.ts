import { FAULT_KEY } from "../../dialects/rpc.ts";
import { memberAt } from "../../dialects/wire.ts";
import type { Fault } from "../../fault/fault.ts";
import type { Effect } from "../../fault/kinds.ts";
import { readFault } from "../../fault/read.ts";

/** How the call of a tool ended: with what its handler returned, or with a fault that is ready to go out. */
export type Outcome = { readonly result: unknown } | { readonly fault: Fault };

/** Whether the call ended, or waits for the caller to say more. */
export function isEnded(outcome: Outcome): boolean {
  return !("result" in outcome) || memberAt(outcome.result, "resultType") !== "input_required";
}

/** What a call has changed for sure or perhaps; a result, even one that tells of a failure, is taken for a change. */
export function effectOf(outcome: Outcome): Effect {
  if ("fault" in outcome) return outcome.fault.effect;
  const stated =
    memberAt(outcome.result, "isError") === true
      ? readFault(memberAt(memberAt(outcome.result, "_meta"), FAULT_KEY))
      : undefined;
  return stated?.effect ?? "applied";
}

/** The outcome as text; throws where JSON cannot say it. */
export function writeOutcome(outcome: Outcome): string {
  return JSON.stringify("result" in outcome ? { result: outcome.result ?? null } : outcome);
}

/** The outcome that a text tells, or undefined when it tells none. */
export function readOutcome(text: string): Outcome | undefined {
  try {
    const outcome: unknown = JSON.parse(text);
    const fault = readFault(memberAt(outcome, "fault"));
    if (fault !== undefined) return { fault };
    const result = memberAt(outcome, "result");
    return result === undefined ? undefined : { result };
  } catch {
    return undefined;
  }
}
