import { core, type Fault, FaultError, idempotency as reasons, toFault } from "@recourse/faults";
import type { FoundIdempotencyState } from "@recourse/faults/server";
import { isDataError } from "@recourse/stores/postgres";
import type { Call } from "../pipeline/call.ts";
import { readStored, responseWith } from "./stored-outcome.ts";

/** The faults for keys whose call must not run now. */
const REFUSALS = {
  running: reasons.in_progress,
  unknown: reasons.outcome_unknown,
  other: reasons.key_reused,
} as const satisfies Record<Exclude<FoundIdempotencyState["state"], "absent" | "settled">, object>;

/** Answers a call whose key was used before: its stored outcome becomes the answer, or the fault is given. */
export function answerKnown(
  call: Call,
  found: Exclude<FoundIdempotencyState, { readonly state: "absent" }>,
): Fault | undefined {
  if (found.state !== "settled") return REFUSALS[found.state].fault();
  if (found.outcome === undefined) return reasons.outcome_not_kept.fault();
  const outcome = readStored(found.outcome);
  if (outcome === undefined || call.id === undefined) {
    call.cause = new Error("the store of the idempotency keys gave something that is not an outcome");
    return core.internal.fault();
  }
  if ("fault" in outcome) {
    call.isRepeat = true;
    return outcome.fault;
  }
  call.answer = responseWith(outcome.result, call.id, call.revision);
  return undefined;
}

/** A store that is away may be back soon. */
const AWAY_MS = 1_000;

/** The fault where a key cannot be claimed. Nothing has run. */
export function claimFault(call: Call, cause: unknown): Fault {
  const stated = FaultError.is(cause) ? toFault(cause) : undefined;
  if (stated?.effect === "none") return stated;
  call.cause = cause;
  // The store is there, and refuses this call only: to wait would not help.
  if (isDataError(cause)) return core.internal.fault({}, { effect: "none" });
  return core.unavailable.fault({}, { effect: "none", retry: { allowed: true, afterMs: AWAY_MS } });
}
