import { amendFault } from "../../fault/amend.ts";
import type { Fault } from "../../fault/fault.ts";
import type { Effect } from "../../fault/kinds.ts";
import { readFault, readOwnFault } from "../../fault/read.ts";
import { faultInside } from "../../reasons/build-safely.ts";
import { cancelled, unavailable } from "../../reasons/library/core.ts";
import { in_progress, key_reused, outcome_not_kept, outcome_unknown } from "../../reasons/library/idempotency.ts";
import { malformed_call } from "../../reasons/library/protocol.ts";
import { result_unsendable } from "../../reasons/library/tool.ts";
import { memberAt, parseJson, stringAt } from "../../wire/json.ts";
import { FAULT_KEY } from "../../wire/names.ts";
import type { Wire } from "../replies/dialect-choice.ts";
import type { PendingFailure } from "../replies/reply.ts";
import { type CallerIdentity, callerRefusal, canonicalDigest } from "./caller.ts";
import type { IdempotencyState, IdempotencyStore } from "./store.ts";

/** A tool call that must run at most once. */
export interface KeyedCall {
  readonly store: IdempotencyStore;
  readonly key: unknown;
  /** Finds out who calls; never rejects. */
  readonly caller: () => Promise<CallerIdentity>;
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
  readonly run: () => Promise<SentOutcome>;
  readonly refuse: (failure: PendingFailure) => SentOutcome | Promise<SentOutcome>;
  readonly reportStoreFailure: (cause: unknown) => unknown;
}

const MAX_IDEMPOTENCY_KEY = 256;
/** A call that was stopped at its limit still has to end and to be stored. */
const STORE_GRACE_MS = 5_000;

/** The faults for keys whose call must not run now. */
const KEY_REFUSALS = {
  running: in_progress,
  unknown: outcome_unknown,
  other: key_reused,
} as const satisfies Record<Exclude<IdempotencyState["state"], "new" | "settled">, object>;

/**
 * Runs a call unless its key was used before; then the stored outcome is given again. What happens to the key does not
 * depend on whether the caller still waits: a late outcome is stored like any other.
 */
export async function runOnce(call: KeyedCall): Promise<SentOutcome> {
  const { store, key, tool, limitMs, honoured } = call;
  // A key that cannot be honoured must not be ignored: its caller would repeat the call and trust the key.
  if (typeof key !== "string" || key === "" || key.length > MAX_IDEMPOTENCY_KEY) {
    return call.refuse({ fault: malformed_call.fault() });
  }
  const caller = await call.caller();
  const refusal = callerRefusal(caller);
  if (refusal !== undefined) return call.refuse({ ...refusal, textHidden: refusal.cause !== undefined });
  const { owner } = caller as Extract<CallerIdentity, { owner: string }>;
  let claim: string;
  let state: IdempotencyState;
  try {
    claim = await canonicalDigest([owner, tool, key]);
    const deadlineMs = limitMs === undefined ? undefined : Math.max(0, limitMs) + STORE_GRACE_MS;
    state = await store.begin(claim, await canonicalDigest(call.arguments ?? {}), { owner, deadlineMs, honoured });
  } catch (cause) {
    return call.refuse(claimFailure(cause));
  }
  return state?.state === "new" ? runClaimed(call, claim, state.fence) : answerUsedKey(state, call);
}

/** Runs the call of a claim, unless its caller no longer waits. */
async function runClaimed(call: KeyedCall, claim: string, fence: number): Promise<SentOutcome> {
  if (!call.isLate()) return storeOutcome(await call.run(), { claim, fence, call });
  await tryStore(() => call.store.release(claim, fence), call);
  return { fault: cancelled.fault({}, { effect: "none" }) };
}

/** Nothing has run when a key cannot be claimed. */
function claimFailure(cause: unknown): PendingFailure {
  const stated = faultInside(cause, {});
  const fault: Fault = stated?.effect === "none" ? stated : unavailable.fault({}, { effect: "none" });
  return { fault, cause };
}

async function answerUsedKey(
  state: Exclude<IdempotencyState, { state: "new" }>,
  call: KeyedCall,
): Promise<SentOutcome> {
  const name = stringAt(state, "state");
  const refusal = Object.entries(KEY_REFUSALS).find(([known]) => known === name)?.[1];
  if (refusal !== undefined) return call.refuse({ fault: refusal.fault() });
  const text = memberAt(state, "outcome");
  if (name === "settled" && text === undefined) return call.refuse({ fault: outcome_not_kept.fault() });
  const outcome = name === "settled" && typeof text === "string" ? readCallOutcome(text) : undefined;
  if (outcome !== undefined) return outcome;
  const cause = new Error("the idempotency store returned something that is not an outcome");
  return call.refuse({ fault: unavailable.fault(), cause });
}

interface ClaimedCall {
  readonly claim: string;
  readonly fence: number;
  readonly call: KeyedCall;
}

/** Stores the outcome, or frees the key if the call changed nothing or is not over. */
async function storeOutcome(outcome: SentOutcome, claimed: ClaimedCall): Promise<SentOutcome> {
  const { claim, fence, call } = claimed;
  const { store } = call;
  if (!isEnded(outcome) || outcomeEffect(outcome) === "none") {
    await tryStore(() => store.release(claim, fence), call);
    return outcome;
  }
  const kept = "fault" in outcome ? { fault: faultToKeep(outcome.fault) } : outcome;
  try {
    const text = writeCallOutcome(kept);
    await tryStore(() => store.settle(claim, fence, text), call);
    return kept;
  } catch (cause) {
    return storeOutcome(await call.refuse({ fault: result_unsendable.fault(), cause }), claimed);
  }
}

/** The call is over, so a store that fails now only concerns the operator; the key stays claimed. */
async function tryStore(change: () => Promise<void>, call: KeyedCall): Promise<void> {
  try {
    await change();
  } catch (cause) {
    await call.reportStoreFailure(cause);
  }
}

/** How a tool call ended: with what its handler returned, or with a fault that is ready to be sent. */
export type ToolOutcome = { readonly result: unknown } | { readonly fault: Fault };

/** The same, with the form in which the fault is sent if it is known. */
export type SentOutcome = ToolOutcome & { readonly wire?: Wire };

/** Whether the call is over; otherwise it waits for input from the caller. */
export function isEnded(outcome: ToolOutcome): boolean {
  return !("result" in outcome) || memberAt(outcome.result, "resultType") !== "input_required";
}

/** What a call has changed. A result, even that of a failed tool, counts as a change unless it states a fault. */
export function outcomeEffect(outcome: ToolOutcome): Effect {
  if ("fault" in outcome) return outcome.fault.effect;
  const isFailed = memberAt(outcome.result, "isError") === true;
  const stated = isFailed ? readFault(memberAt(memberAt(outcome.result, "_meta"), FAULT_KEY)) : undefined;
  return stated?.effect ?? "applied";
}

/**
 * A fault as the outcome that its idempotency key keeps: a caller that repeats the call with the key gets the same
 * fault, so it says that repeating does not help.
 */
export function faultToKeep(fault: Fault): Fault {
  return amendFault(fault, { retry: { allowed: false } });
}

/** The outcome as JSON text; throws if JSON cannot encode it. */
export function writeCallOutcome(outcome: ToolOutcome): string {
  return JSON.stringify("result" in outcome ? { result: outcome.result ?? null } : outcome);
}

/** The outcome in a JSON text; undefined if the text has no outcome. */
export function readCallOutcome(text: string): ToolOutcome | undefined {
  const outcome = parseJson(text, Number.POSITIVE_INFINITY);
  const fault = readOwnFault(memberAt(outcome, "fault"));
  if (fault !== undefined) return { fault };
  const result = memberAt(outcome, "result");
  return result === undefined ? undefined : { result };
}
