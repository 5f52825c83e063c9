import { core, type Fault, protocol } from "@recourse/faults";
import { isObject, type JsonObject, objectAt, parseJson } from "@recourse/faults/internal-do-not-use";
import type { Posted } from "./channel.ts";

/** Why the era could not be found out, or a session could not be opened. */
export interface NegotiationFailed {
  readonly fault: Fault;
  readonly cause: unknown;
}

/** The call that waits for the negotiation has not been sent. */
export const UNSENT = { origin: { layer: "upstream" }, effect: "none" } as const;

/** Statuses that say nothing about the era: the next attempt may end otherwise. */
const UNDECIDED: ReadonlySet<number> = new Set([401, 403, 407, 408, 425, 429]);
/** The upstream does not accept the credential of the gateway. */
const UNACCEPTED: ReadonlySet<number> = new Set([401, 403, 407]);

/** A failure that says nothing about the era; undefined where the answer says something. */
export function refusalOf(posted: Posted): NegotiationFailed | undefined {
  if (posted.kind === "failed") {
    // An answer that is not one of the protocol may still come from a server of the other era.
    if (posted.fault.reason === protocol.invalid_result.id) return undefined;
    return { fault: unsentFault(posted.fault), cause: posted.cause };
  }
  const { status } = posted;
  if (status < 500 ? !UNDECIDED.has(status) : status === 501) return undefined;
  const reason = UNACCEPTED.has(status) ? core.misconfigured : core.unavailable;
  return { fault: reason.fault({}, UNSENT), cause: new Error(`HTTP status ${status} to the first message`) };
}

/** The call itself was not sent, whatever became of the first message. */
function unsentFault(fault: Fault): Fault {
  if (fault.effect === "none" && fault.kind === "unavailable") return fault;
  return core.unavailable.fault({}, { origin: fault.origin, effect: "none" });
}

/** The result in an answer; undefined where it is an error. */
export function resultOf(posted: Posted): JsonObject | undefined {
  if (posted.kind === "failed" || posted.status !== 200) return undefined;
  const message = parseJson(posted.body.toString(), Number.POSITIVE_INFINITY);
  return isObject(message) ? objectAt(message, "result") : undefined;
}
