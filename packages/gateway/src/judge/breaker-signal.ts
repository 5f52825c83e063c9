import { type Fault, knownKind, rest } from "@recourse/faults";
import { breakerSignalOf } from "@recourse/faults/internal-do-not-use";
import type { Call } from "../pipeline/call.ts";
import { isOurs } from "./relay.ts";

/** What is known about a call that has ended. */
export interface EndedCall {
  /** The fault that its caller got. */
  readonly sent: Fault | undefined;
  /** How long it took since the circuit breaker let it through. */
  readonly waitedMs: number;
  /** How long the upstream is waited for at most. */
  readonly timeoutMs: number;
}

/** Clocks and timers differ a little. */
const FULL_WAIT = 0.9;

/** The credential of the gateway is refused. Whoever refuses it works, and callers have to learn the true reason. */
const REFUSED: readonly string[] = [rest.upstream_auth.id, rest.upstream_forbidden.id];

/** What a call shows about its upstream: it works, it fails, or nothing. */
export function signalOf(
  { reply, judged }: Pick<Call, "reply" | "judged">,
  { sent, waitedMs, timeoutMs }: EndedCall,
): "success" | "failure" | "ignored" {
  if (reply === undefined || (reply.kind === "failed" && reply.isOld === true)) return "ignored";
  // A success that could not be passed on is a failure of the gateway.
  if (judged === undefined) return sent === undefined ? "success" : "ignored";
  if (REFUSED.includes(judged.reason)) return "success";
  const kind = knownKind(judged);
  // The gateway itself had no room.
  if (kind === "overloaded" && judged.origin.layer === "gateway" && isOurs(judged)) return "ignored";
  // Callers choose their deadline: a short one must not stop the calls of others.
  if (kind === "timeout" && reply.kind === "failed" && waitedMs < timeoutMs * FULL_WAIT) return "ignored";
  return breakerSignalOf(judged);
}
