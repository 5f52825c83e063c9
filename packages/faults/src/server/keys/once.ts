import { stringAt } from "../../dialects/wire.ts";
import { FaultError } from "../../fault/error.ts";
import type { Fault } from "../../fault/fault.ts";
import { cancelled, unavailable } from "../../reasons/library/core.ts";
import { in_progress, key_reused } from "../../reasons/library/idempotency.ts";
import { malformed_call } from "../../reasons/library/protocol.ts";
import { result_unsendable } from "../../reasons/library/tool.ts";
import { toFault } from "../../reasons/unknown/to-fault.ts";
import { effectOf, isEnded, type Outcome, readOutcome, writeOutcome } from "../calls/outcome.ts";
import { fingerprint } from "./fingerprint.ts";
import type { KeyState, KeyStore } from "./store.ts";

/** The call of a tool that must happen at most once. */
export interface KeyedCall {
  readonly store: KeyStore;
  /** What the caller put where its key belongs. */
  readonly key: unknown;
  /** Who calls. */
  readonly caller: () => unknown;
  readonly tool: string;
  /** As they were sent, not as a schema changed them. */
  readonly arguments: unknown;
  /** Whether nobody waits for the call any more. */
  readonly isLate: () => boolean;
  /** Makes the call; never rejects. */
  readonly run: () => Promise<Outcome>;
  /** Makes a fault ready to go out. */
  readonly refuse: (fault: Fault, cause?: unknown) => Outcome;
  /** Tells the operator of a store that failed. */
  readonly tell: (cause: unknown) => void;
}

const LONGEST_KEY = 256;

/**
 * Makes a call unless its key was used before, in which case the outcome of then is given again. What happens to the key
 * does not depend on whether anybody still waits: a late outcome is kept like any other.
 */
export async function once(call: KeyedCall): Promise<Outcome> {
  const { store, key, tool, caller } = call;
  // A key that cannot be honoured must not be ignored: its caller would repeat the call in good faith.
  if (typeof key !== "string" || key === "" || key.length > LONGEST_KEY) return call.refuse(malformed_call.fault());
  let claim: string;
  let state: KeyState;
  try {
    claim = await fingerprint([caller(), tool, key]);
    state = await store.begin(claim, await fingerprint(call.arguments ?? {}));
  } catch (cause) {
    return call.refuse(unstarted(cause), cause);
  }
  if (state === "running") return call.refuse(in_progress.fault());
  if (state === "other") return call.refuse(key_reused.fault());
  if (state !== "new") return given(stringAt(state, "outcome"), call);
  if (!call.isLate()) return kept(await call.run(), claim, call);
  await attempt(() => store.release(claim), call);
  return { fault: cancelled.fault({}, { effect: "none" }) };
}

/** Nothing has run when a key cannot be claimed. */
function unstarted(cause: unknown): Fault {
  const stated = FaultError.is(cause) ? toFault(cause) : undefined;
  return stated?.effect === "none" ? stated : unavailable.fault({}, { effect: "none" });
}

function given(text: string | undefined, call: KeyedCall): Outcome {
  const outcome = text === undefined ? undefined : readOutcome(text);
  return outcome ?? call.refuse(unavailable.fault(), new Error("the store of keys gave back what is no outcome"));
}

/** Settles the key, or gives it back where the call changed nothing or is not over. */
async function kept(outcome: Outcome, claim: string, call: KeyedCall): Promise<Outcome> {
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
    return kept(call.refuse(result_unsendable.fault(), cause), claim, call);
  }
}

/** The call is over, so what a store fails at now only concerns the operator; the key stays claimed. */
async function attempt(change: () => Promise<void>, call: KeyedCall): Promise<void> {
  try {
    await change();
  } catch (cause) {
    call.tell(cause);
  }
}
