import type { Fault } from "@recourse/core";
import { core } from "@recourse/core/reasons";
import type { CallApprovals } from "../approvals/call-approvals.ts";
import type { CallBinding } from "../call/binding.ts";
import type { Call, Step } from "../call/call.ts";
import type { Idempotency } from "./idempotency.ts";
import { amendKept, answerKnown, type Claim, claimFault, conclude, releaseClaim, reopen } from "./outcome.ts";

export interface BeginOptions {
  readonly idempotency: Idempotency;
  /** @default no tool needs an approval */
  readonly approvals: CallApprovals | undefined;
  readonly now: () => number;
  /** How long a call that was stopped at its deadline may take to end and to be stored. @default 5_000 */
  readonly claimGraceMs?: number | undefined;
}

/** Begins bound calls: the key is claimed, then the approval is consumed. Nothing stands between it and the attempt. */
export function beginBoundCall(options: BeginOptions): Step {
  return (call) => {
    const { binding, refusal } = call;
    if (binding === undefined) return refusal;
    return refusal === undefined ? claimAndApprove(call, binding, options) : lookUpKey(call, binding, refusal, options);
  };
}

/**
 * Claim and approval are two transactions. Whatever crashes between them leaves a safe state: the key becomes unknown, and
 * the approval is not used up.
 */
async function claimAndApprove(call: Call, binding: CallBinding, options: BeginOptions): Promise<Fault | undefined> {
  const claim = await claimKey(call, binding, options);
  // Known keys are answered, here or by the fault.
  if (claim === "answered") return undefined;
  if (claim !== undefined && "reason" in claim) return claim;
  const give = (fault: Fault | undefined) => {
    if (claim !== undefined) releaseClaim(claim);
    return fault;
  };
  // Who has left before anything was sent gets nothing done.
  if (call.origin.signal.aborted) return give(core.cancelled.fault({}, { effect: "none" }));
  const approval = await consumeApproval(call, binding, options);
  if (approval !== undefined && "reason" in approval) return give(approval);
  if (approval !== undefined && "inputRequired" in approval) {
    call.answer = Buffer.from(`{"jsonrpc":"2.0","id":${call.id},"result":${approval.inputRequired}}`);
    return give(undefined);
  }
  const held = { claim, approval };
  call.amend = (fault) => amendKept(fault, held);
  call.reopen = () => reopen(held);
  call.afterwards ??= [];
  call.afterwards.push((sent) => conclude(call, sent, held));
  return undefined;
}

/** The claim of the call; undefined if it has no key, and `answered` if it has its answer already. */
async function claimKey(
  call: Call,
  { key, digest, owner }: CallBinding,
  { idempotency, now, claimGraceMs = 5_000 }: BeginOptions,
): Promise<Claim | Fault | "answered" | undefined> {
  if (key === undefined) return undefined;
  const upstream = call.route?.kind === "upstream" ? call.route.upstream.options : undefined;
  const honoured = upstream?.honoursKeys === true;
  // The claim is held no longer than the wait for the upstream, and the call must have ended by then.
  call.deadlineMs = Math.min(call.deadlineMs, now() + (upstream?.timeoutMs ?? Number.POSITIVE_INFINITY));
  const deadlineMs = Math.max(0, call.deadlineMs - now()) + claimGraceMs;
  try {
    const state = await idempotency.begin(key, digest, { owner, deadlineMs, honoured });
    if (state.state !== "new") return answerKnown(call, state) ?? "answered";
    const { fence } = state;
    call.extendClaim = (leftMs) => idempotency.extend(key, fence, leftMs + claimGraceMs).catch(() => false);
    return { idempotency, key, fence, honoured };
  } catch (cause) {
    return claimFault(call, cause);
  }
}

/** The approval that the call has used up; undefined if it needs none. */
async function consumeApproval(call: Call, { approval }: CallBinding, { approvals }: BeginOptions) {
  if (approval === undefined) return undefined;
  // A call that needs an approval never runs without one.
  return approvals?.take(call, approval) ?? core.internal.fault({}, { effect: "none" });
}

/** The breaker refuses the call, so nothing is claimed. What is known about its key is given all the same. */
async function lookUpKey(
  call: Call,
  { key, digest }: CallBinding,
  refusal: Fault,
  { idempotency }: BeginOptions,
): Promise<Fault | undefined> {
  if (key === undefined) return refusal;
  try {
    const found = await idempotency.find(key, digest);
    return found.state === "absent" ? refusal : answerKnown(call, found);
  } catch (cause) {
    call.cause = cause;
    return refusal;
  }
}
