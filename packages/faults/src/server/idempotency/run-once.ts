import { FaultError } from "../../fault/error.ts";
import type { Fault } from "../../fault/fault.ts";
import { memberAt, stringAt } from "../../json/read.ts";
import { cancelled, unavailable } from "../../reasons/library/core.ts";
import { in_progress, key_reused, outcome_not_kept, outcome_unknown } from "../../reasons/library/idempotency.ts";
import { malformed_call } from "../../reasons/library/protocol.ts";
import { result_unsendable } from "../../reasons/library/tool.ts";
import { toFault } from "../../reasons/thrown/to-fault.ts";
import { effectOf, isEnded, keptFault, type Outcome, readOutcome, writeOutcome } from "../calls/outcome.ts";
import type { Failure } from "../reporter.ts";
import { type Caller, refusalOf } from "./caller.ts";
import { digestOf } from "./digest.ts";
import type { IdempotencyState, IdempotencyStore } from "./store.ts";

/** A tool call that must run at most once. */
export interface KeyedCall {
  readonly store: IdempotencyStore;
  /** What the caller sent as its key. */
  readonly key: unknown;
  /** Finds out who calls; never rejects. */
  readonly caller: () => Promise<Caller>;
  readonly tool: string;
  /** As they were sent, not as a schema changed them. */
  readonly arguments: unknown;
  /** How long the call may take. @default no limit */
  readonly limitMs?: number | undefined;
  /** Whether the tool passes the key on to a service that honours it. */
  readonly honoured: boolean;
  /** Whether the caller no longer waits. */
  readonly isLate: () => boolean;
  /** Runs the call; never rejects. */
  readonly run: () => Promise<Outcome>;
  /** Makes a failure ready to be sent. */
  readonly refuse: (failure: Failure) => Outcome;
  /** Reports a store that failed after the call was over. */
  readonly reportStoreFailure: (cause: unknown) => void;
}

const MAX_KEY_LENGTH = 256;
/** A call that was stopped at its limit still has to end and to be stored. */
const GRACE_MS = 5_000;

/** The faults for keys whose call must not run now. */
const REFUSALS = {
  running: in_progress,
  unknown: outcome_unknown,
  other: key_reused,
} as const satisfies Record<Exclude<IdempotencyState["state"], "new" | "settled">, object>;

/**
 * Runs a call unless its key was used before; then the stored outcome is given again. What happens to the key does not
 * depend on whether the caller still waits: a late outcome is stored like any other.
 */
export async function runOnce(call: KeyedCall): Promise<Outcome> {
  const { store, key, tool, limitMs, honoured } = call;
  // A key that cannot be honoured must not be ignored: its caller would repeat the call and trust the key.
  if (typeof key !== "string" || key === "" || key.length > MAX_KEY_LENGTH) {
    return call.refuse({ fault: malformed_call.fault() });
  }
  const caller = await call.caller();
  const refusal = refusalOf(caller);
  if (refusal !== undefined) return call.refuse({ ...refusal, textHidden: refusal.cause !== undefined });
  const { owner } = caller as Extract<Caller, { owner: string }>;
  let claim: string;
  let state: IdempotencyState;
  try {
    claim = await digestOf([owner, tool, key]);
    const deadlineMs = limitMs === undefined ? undefined : Math.max(0, limitMs) + GRACE_MS;
    state = await store.begin(claim, await digestOf(call.arguments ?? {}), { owner, deadlineMs, honoured });
  } catch (cause) {
    return call.refuse(claimFailure(cause));
  }
  return state?.state === "new" ? runClaimed(call, claim, state.fence) : answerFor(state, call);
}

/** Runs the call of a claim, unless its caller no longer waits. */
async function runClaimed(call: KeyedCall, claim: string, fence: number): Promise<Outcome> {
  if (!call.isLate()) return storeOutcome(await call.run(), { claim, fence, call });
  await attempt(() => call.store.release(claim, fence), call);
  return { fault: cancelled.fault({}, { effect: "none" }) };
}

/** Nothing has run when a key cannot be claimed. */
function claimFailure(cause: unknown): Failure {
  const stated = FaultError.is(cause) ? toFault(cause) : undefined;
  const fault: Fault = stated?.effect === "none" ? stated : unavailable.fault({}, { effect: "none" });
  return { fault, cause };
}

/** The answer for a key that was used before. */
function answerFor(state: Exclude<IdempotencyState, { state: "new" }>, call: KeyedCall): Outcome {
  const name = stringAt(state, "state");
  const refusal = Object.entries(REFUSALS).find(([known]) => known === name)?.[1];
  if (refusal !== undefined) return call.refuse({ fault: refusal.fault() });
  const text = memberAt(state, "outcome");
  if (name === "settled" && text === undefined) return call.refuse({ fault: outcome_not_kept.fault() });
  const outcome = name === "settled" && typeof text === "string" ? readOutcome(text) : undefined;
  if (outcome !== undefined) return outcome;
  const cause = new Error("the idempotency store returned something that is not an outcome");
  return call.refuse({ fault: unavailable.fault(), cause });
}

interface Claimed {
  readonly claim: string;
  readonly fence: number;
  readonly call: KeyedCall;
}

/** Stores the outcome, or frees the key where the call changed nothing or is not over. */
async function storeOutcome(outcome: Outcome, claimed: Claimed): Promise<Outcome> {
  const { claim, fence, call } = claimed;
  const { store } = call;
  if (!isEnded(outcome) || effectOf(outcome) === "none") {
    await attempt(() => store.release(claim, fence), call);
    return outcome;
  }
  const kept = "fault" in outcome ? { fault: keptFault(outcome.fault) } : outcome;
  try {
    const text = writeOutcome(kept);
    await attempt(() => store.settle(claim, fence, text), call);
    return kept;
  } catch (cause) {
    return storeOutcome(call.refuse({ fault: result_unsendable.fault(), cause }), claimed);
  }
}

/** The call is over, so a store that fails now only concerns the operator; the key stays claimed. */
async function attempt(change: () => Promise<void>, call: KeyedCall): Promise<void> {
  try {
    await change();
  } catch (cause) {
    call.reportStoreFailure(cause);
  }
}
