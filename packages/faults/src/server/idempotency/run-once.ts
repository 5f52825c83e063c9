import { FaultError } from "../../fault/error.ts";
import type { Fault } from "../../fault/fault.ts";
import { stringAt } from "../../json/read.ts";
import { cancelled, unavailable } from "../../reasons/library/core.ts";
import { in_progress, key_reused } from "../../reasons/library/idempotency.ts";
import { malformed_call } from "../../reasons/library/protocol.ts";
import { result_unsendable } from "../../reasons/library/tool.ts";
import { toFault } from "../../reasons/thrown/to-fault.ts";
import { effectOf, isEnded, type Outcome, readOutcome, writeOutcome } from "../calls/outcome.ts";
import type { Failure } from "../reporter.ts";
import { digestOf } from "./digest.ts";
import type { IdempotencyState, IdempotencyStore } from "./store.ts";

/** A tool call that must run at most once. */
export interface KeyedCall {
  readonly store: IdempotencyStore;
  /** What the caller sent as its key. */
  readonly key: unknown;
  /** Who calls. */
  readonly caller: () => unknown;
  readonly tool: string;
  /** As they were sent, not as a schema changed them. */
  readonly arguments: unknown;
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

/**
 * Runs a call unless its key was used before; then the stored outcome is given again. What happens to the key does not
 * depend on whether the caller still waits: a late outcome is stored like any other.
 */
export async function runOnce(call: KeyedCall): Promise<Outcome> {
  const { store, key, tool, caller } = call;
  // A key that cannot be honoured must not be ignored: its caller would repeat the call and trust the key.
  if (typeof key !== "string" || key === "" || key.length > MAX_KEY_LENGTH) {
    return call.refuse({ fault: malformed_call.fault() });
  }
  let claim: string;
  let state: IdempotencyState;
  try {
    claim = await digestOf([caller(), tool, key]);
    state = await store.begin(claim, await digestOf(call.arguments ?? {}));
  } catch (cause) {
    return call.refuse(claimFailure(cause));
  }
  if (state === "running") return call.refuse({ fault: in_progress.fault() });
  if (state === "other") return call.refuse({ fault: key_reused.fault() });
  if (state !== "new") return storedOutcome(stringAt(state, "outcome"), call);
  if (!call.isLate()) return storeOutcome(await call.run(), claim, call);
  await attempt(() => store.release(claim), call);
  return { fault: cancelled.fault({}, { effect: "none" }) };
}

/** Nothing has run when a key cannot be claimed. */
function claimFailure(cause: unknown): Failure {
  const stated = FaultError.is(cause) ? toFault(cause) : undefined;
  const fault: Fault = stated?.effect === "none" ? stated : unavailable.fault({}, { effect: "none" });
  return { fault, cause };
}

function storedOutcome(text: string | undefined, call: KeyedCall): Outcome {
  const outcome = text === undefined ? undefined : readOutcome(text);
  if (outcome !== undefined) return outcome;
  const cause = new Error("the idempotency store returned something that is not an outcome");
  return call.refuse({ fault: unavailable.fault(), cause });
}

/** Stores the outcome, or frees the key where the call changed nothing or is not over. */
async function storeOutcome(outcome: Outcome, claim: string, call: KeyedCall): Promise<Outcome> {
  const { store } = call;
  if (!isEnded(outcome) || effectOf(outcome) === "none") {
    await attempt(() => store.release(claim), call);
    return outcome;
  }
  try {
    const text = writeOutcome(outcome);
    await attempt(() => store.settle(claim, text), call);
    return outcome;
  } catch (cause) {
    return storeOutcome(call.refuse({ fault: result_unsendable.fault(), cause }), claim, call);
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
