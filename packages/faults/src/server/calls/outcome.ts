import { amendFault } from "../../fault/amend.ts";
import type { Fault } from "../../fault/fault.ts";
import type { Effect } from "../../fault/kinds.ts";
import { readOwnFault } from "../../fault/read.ts";
import { readFault } from "../../fault/read-fault.ts";
import { FAULT_KEY } from "../../json/names.ts";
import { memberAt, parseJson } from "../../json/read.ts";

/** How a tool call ended: with what its handler returned, or with a fault that is ready to be sent. */
export type Outcome = { readonly result: unknown } | { readonly fault: Fault };

/** Whether the call is over; otherwise it waits for input from the caller. */
export function isEnded(outcome: Outcome): boolean {
  return !("result" in outcome) || memberAt(outcome.result, "resultType") !== "input_required";
}

/** What a call has changed. A result, even that of a failed tool, counts as a change unless it states a fault. */
export function effectOf(outcome: Outcome): Effect {
  if ("fault" in outcome) return outcome.fault.effect;
  const isFailed = memberAt(outcome.result, "isError") === true;
  const stated = isFailed ? readFault(memberAt(memberAt(outcome.result, "_meta"), FAULT_KEY)) : undefined;
  return stated?.effect ?? "applied";
}

/**
 * A fault as the outcome that its idempotency key keeps: whoever repeats the call with the key gets the same fault, so it
 * says that repeating is of no use.
 */
export function keptFault(fault: Fault): Fault {
  return amendFault(fault, { retry: { allowed: false } });
}

/** The outcome as JSON text; throws where JSON cannot encode it. */
export function writeOutcome(outcome: Outcome): string {
  return JSON.stringify("result" in outcome ? { result: outcome.result ?? null } : outcome);
}

/** The outcome in a JSON text; undefined where there is none. */
export function readOutcome(text: string): Outcome | undefined {
  const outcome = parseJson(text, Number.POSITIVE_INFINITY);
  const fault = readOwnFault(memberAt(outcome, "fault"));
  if (fault !== undefined) return { fault };
  const result = memberAt(outcome, "result");
  return result === undefined ? undefined : { result };
}
