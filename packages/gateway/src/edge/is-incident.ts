import { type Fault, knownKind, shouldReport } from "@recourse/faults";
import type { Call } from "../pipeline/call.ts";

/**
 * Whether a fault is an incident. It is one where an upstream failed, or the gateway has a bug. What the gateway refuses itself
 * is none: a limit, a store or an issuer that is away, an open breaker, an approval that is missing. The switch that caused the
 * refusals is one. Nothing is an incident before it is known who calls: otherwise anybody could write into the store.
 */
export function isIncident(call: Pick<Call, "caller" | "reply" | "judged" | "textHidden">, fault: Fault): boolean {
  const { caller, reply, judged, textHidden } = call;
  // Refused credentials are one constant fault, whatever refused them and why.
  if (caller === undefined || knownKind(fault) === "unauthenticated") return false;
  // Such a call was refused because of a failure of before.
  const wasAsked = reply !== undefined && !(reply.kind === "failed" && reply.isOld === true);
  const hasFailed = (judged !== undefined && wasAsked) || knownKind(fault) === "internal";
  return hasFailed && shouldReport(fault, { textHidden });
}
