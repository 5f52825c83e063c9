import { type Fault, transport } from "@recourse/faults";
import { keptFault, provenanceOf, race, sleep } from "@recourse/faults/internal-do-not-use";
import type { Call } from "../pipeline/call.ts";
import type { TakenApproval } from "./bound-approvals.ts";
import type { Idempotency } from "./idempotency.ts";
import { resultIn, writeStored } from "./stored-outcome.ts";

/** A key that a call has claimed. */
export interface Claim {
  readonly idempotency: Idempotency;
  readonly key: string;
  readonly fence: number;
  /** The upstream keeps the promise of keys too. */
  readonly honoured: boolean;
}

/** What a call holds from its beginning to its end. */
export interface Held {
  readonly claim: Claim | undefined;
  readonly approval: TakenApproval | undefined;
}

/** Ends what a call holds, once it is known how it ended. Nobody waits for it. */
export function conclude(call: Call, sent: Fault | undefined, { claim, approval }: Held): void {
  // What a call held that goes on in another round is free already.
  if (call.asksForInput) return;
  if (approval !== undefined && neverLeft(call)) void approval.giveBack();
  if (claim === undefined) return;
  const outcome = outcomeOf(call, sent, { claim, approval });
  if (outcome === undefined) release(claim);
  else void claim.idempotency.settle(claim.key, claim.fence, outcome).catch(ignore);
}

/** A store that takes longer frees what is held when it can. */
const REOPEN_MS = 2_000;

/** Frees what a call holds whose upstream asks for input: it is not over, and goes on with the same key and approval. */
export async function reopen({ claim, approval }: Held): Promise<void> {
  const freed = [approval?.giveBack(), claim?.idempotency.release(claim.key, claim.fence)];
  await race(Promise.allSettled(freed), { ms: REOPEN_MS, sleep });
}

/** Frees a key: its call has changed nothing. */
export function release({ idempotency, key, fence }: Claim): void {
  void idempotency.release(key, fence).catch(ignore);
}

/** The outcome to store; undefined where the call may run again, since it changed nothing. */
function outcomeOf(call: Call, fault: Fault | undefined, { claim, approval }: Held): string | undefined {
  if (fault === undefined) {
    const result = call.answer && resultIn(call.answer);
    return result === undefined ? undefined : writeStored({ result });
  }
  return isKept(fault, { claim, approval }) ? writeStored({ fault }) : undefined;
}

/** Whether a fault is the outcome of the call; otherwise the call may run again with its key. */
function isKept({ effect }: Fault, { claim, approval }: Held): boolean {
  if (claim === undefined || effect === "none") return false;
  // An upstream that honours the key knows how the call ended, and can be asked again. An approval is for one attempt.
  return !(claim.honoured && approval === undefined && effect === "possible");
}

/** A fault as it is sent to the caller: where it is kept, repeating the call with its key is of no use, and it says so. */
export function amendKept(fault: Fault, held: Held): Fault {
  return isKept(fault, held) ? keptFault(fault) : fault;
}

/** Reasons that a transport gives where nothing of a call has left. */
const UNSENT: ReadonlySet<string> = new Set([transport.not_sent.id, transport.unreachable.id]);

/** Whether nothing of the call can have reached the upstream. The word of the upstream is no proof. */
function neverLeft({ wasSent, reply, route }: Call): boolean {
  if (!wasSent) return true;
  if (reply?.kind !== "failed" || route?.kind !== "upstream") return false;
  // Failed replies of MCP servers are the gateway's own words. Those of APIs can be what the API says about itself.
  const { fault } = reply;
  if ("document" in route.upstream.options && provenanceOf(fault) !== undefined) return false;
  return UNSENT.has(fault.reason) || (fault.origin.layer === "gateway" && fault.effect === "none");
}

/** The store repeats what failed, and the operator was told when its database went away. */
function ignore(): void {}
