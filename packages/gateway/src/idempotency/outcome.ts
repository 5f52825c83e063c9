import { type Fault, FaultError } from "@recourse/core";
import { faultToKeep, readCallOutcome, readProvenance, writeCallOutcome } from "@recourse/core/proxy";
import { core, idempotency as reasons, toFault, transport } from "@recourse/core/reasons";
import type { FoundIdempotencyState } from "@recourse/core/server";
import { hasResultTypes, type Revision, race, sleep } from "@recourse/core/wire";
import { isDataError } from "@recourse/stores/postgres";
import type { ConsumedApproval } from "../approvals/call-approvals.ts";
import type { Call } from "../call/call.ts";
import { valuesOf } from "../call/json-bytes.ts";
import type { Idempotency } from "./idempotency.ts";

export interface Claim {
  readonly idempotency: Idempotency;
  readonly key: string;
  readonly fence: number;
  readonly honoured: boolean;
}

/** What a call holds from its beginning to its end. */
interface CallHoldings {
  readonly claim: Claim | undefined;
  readonly approval: ConsumedApproval | undefined;
}

/** Answers a call whose key was used before: its stored outcome becomes the answer, or the fault is given. */
export function answerKnown(
  call: Call,
  found: Exclude<FoundIdempotencyState, { readonly state: "absent" }>,
): Fault | undefined {
  if (found.state !== "settled") return KNOWN_KEY_REFUSALS[found.state].fault();
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

/** The faults for keys whose call must not run now. */
const KNOWN_KEY_REFUSALS = {
  running: reasons.in_progress,
  unknown: reasons.outcome_unknown,
  other: reasons.key_reused,
} as const satisfies Record<Exclude<FoundIdempotencyState["state"], "absent" | "settled">, object>;

/** A store that is down may be up again soon. */
const STORE_AWAY_MS = 1_000;

/** The fault for a key that cannot be claimed. Nothing has run. */
export function claimFault(call: Call, cause: unknown): Fault {
  const stated = FaultError.is(cause) ? toFault(cause) : undefined;
  if (stated?.effect === "none") return stated;
  call.cause = cause;
  // The store is there, and refuses this call only: to wait would not help.
  if (isDataError(cause)) return core.internal.fault({}, { effect: "none" });
  return core.unavailable.fault({}, { effect: "none", retry: { allowed: true, afterMs: STORE_AWAY_MS } });
}

/** Ends what a call holds, once it is known how it ended. Nobody waits for it. */
export function conclude(call: Call, sent: Fault | undefined, { claim, approval }: CallHoldings): void {
  // What a call held that continues in another round is free already.
  if (call.asksForInput) return;
  if (approval !== undefined && neverLeft(call)) void approval.giveBack();
  if (claim === undefined) return;
  const outcome = outcomeToStore(call, sent, { claim, approval });
  if (outcome === undefined) releaseClaim(claim);
  else void claim.idempotency.settle(claim.key, claim.fence, outcome).catch(ignoreRejection);
}

/** A store that takes longer frees what is held when it can. */
const REOPEN_MS = 2_000;

/**
 * Frees what a call holds whose upstream asks for input: it is not over, and continues with the same key and approval.
 */
export async function reopen({ claim, approval }: CallHoldings): Promise<void> {
  const freed = [approval?.giveBack(), claim?.idempotency.release(claim.key, claim.fence)];
  await race(Promise.allSettled(freed), { ms: REOPEN_MS, sleep });
}

/** Frees a key: its call has changed nothing. */
export function releaseClaim({ idempotency, key, fence }: Claim): void {
  void idempotency.release(key, fence).catch(ignoreRejection);
}

/** The outcome to store; undefined if the call may run again, since it changed nothing. */
function outcomeToStore(call: Call, fault: Fault | undefined, { claim, approval }: CallHoldings): string | undefined {
  if (fault === undefined) {
    const result = call.answer && resultIn(call.answer);
    return result === undefined ? undefined : writeStored({ result });
  }
  return isKeptOutcome(fault, { claim, approval }) ? writeStored({ fault }) : undefined;
}

/** Whether a fault is the outcome of the call; otherwise the call may run again with its key. */
function isKeptOutcome({ effect }: Fault, { claim, approval }: CallHoldings): boolean {
  if (claim === undefined || effect === "none") return false;
  // An upstream that honours the key knows how the call ended, and can be asked again. An approval is for one attempt.
  return !(claim.honoured && approval === undefined && effect === "possible");
}

/**
 * A fault as it is sent to the caller. If it is kept, repeating the call with its key won't help, and the fault says
 * so.
 */
export function amendKept(fault: Fault, held: CallHoldings): Fault {
  return isKeptOutcome(fault, held) ? faultToKeep(fault) : fault;
}

/** Reasons that a transport gives if nothing of a call has left. */
const NEVER_LEFT_REASONS: ReadonlySet<string> = new Set([transport.not_sent.id, transport.unreachable.id]);

/** Whether nothing of the call can have reached the upstream. The word of the upstream is no proof. */
function neverLeft({ wasSent, reply, route }: Call): boolean {
  if (!wasSent) return true;
  if (reply?.kind !== "failed" || route?.kind !== "upstream") return false;
  // Failed replies of MCP servers are the gateway's own words. Those of APIs can be what the API says about itself.
  const { fault } = reply;
  if ("document" in route.upstream.options && readProvenance(fault) !== undefined) return false;
  return NEVER_LEFT_REASONS.has(fault.reason) || (fault.origin.layer === "gateway" && fault.effect === "none");
}

/** The store repeats what failed, and the operator was notified when its database went down. */
function ignoreRejection(): void {}

/** How a call ended: the result as the JSON that came, or the fault as it was sent. */
type StoredOutcome = { readonly result: string } | { readonly fault: Fault };

const RESULT = '{"result":';

/** An outcome as the text that is stored. A result is not parsed: its numbers stay as they came. */
export function writeStored(outcome: StoredOutcome): string {
  return "result" in outcome ? `${RESULT}${outcome.result}}` : writeCallOutcome(outcome);
}

/** The outcome in a stored text; undefined if none exists. */
export function readStored(text: string): StoredOutcome | undefined {
  if (text.startsWith(RESULT) && text.endsWith("}")) return { result: text.slice(RESULT.length, -1) };
  const outcome = readCallOutcome(text);
  return outcome !== undefined && "fault" in outcome ? outcome : undefined;
}

/** The result in a JSON-RPC response; undefined if it has none. */
export function resultIn(response: Buffer): string | undefined {
  const span = valuesOf(response, 0, "result").at(-1);
  return span && response.toString("utf8", span.start, span.end);
}

const COMPLETE_TYPE = '"resultType":"complete"';

/** The response with a stored result: for the message that asks now, and with the type that callers of the newer era expect. */
export function responseWith(result: string, id: string, revision: Revision | undefined): Buffer {
  const isTyped = !hasResultTypes(revision) || valuesOf(Buffer.from(result), 0, "resultType").length > 0;
  const rest = result.slice(1).trimStart();
  const typed = isTyped ? result : `{${COMPLETE_TYPE}${rest.startsWith("}") ? "" : ","}${rest}`;
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":${typed}}`);
}
