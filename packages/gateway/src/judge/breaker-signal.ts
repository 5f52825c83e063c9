import { core, type Fault, knownKind, rest, transport } from "@recourse/faults";
import {
  BOTH_WORK,
  type BreakerSignals,
  breakerSignals,
  type Heard,
  heardOf,
  isFullWait,
  type LostCalls,
  SHOWS_NOTHING,
} from "@recourse/faults/internal-do-not-use";
import type { Call } from "../pipeline/call.ts";
import type { UpstreamReply } from "../upstreams/upstream.ts";
import { isOurs } from "./relay.ts";

/** What is known about a call that has ended. */
export interface EndedCall {
  /** The fault that its caller got. */
  readonly sent: Fault | undefined;
  /** How long it took since the circuit breaker let it through. */
  readonly waitedMs: number;
  /** How long the upstream is waited for at most. */
  readonly timeoutMs: number;
  /** What was called. */
  readonly target: string;
  /** Whose calls were lost since the upstream last answered. */
  readonly lost: LostCalls;
  /** The call finds out whether the upstream works again. */
  readonly isProbe: boolean;
}

/** The credential of the gateway is refused. Whoever refuses it works, and callers have to learn the true reason. */
const REFUSED: readonly string[] = [rest.upstream_auth.id, rest.upstream_forbidden.id];

/** What the gateway met itself; any other reason stands for an answer. */
const HEARD_BY_REASON: Readonly<Record<string, Heard>> = {
  [transport.unreachable.id]: "unreached",
  [core.misconfigured.id]: "unreached",
  [core.unavailable.id]: "lost",
  [transport.connection_lost.id]: "lost",
  [transport.exited.id]: "lost",
  [transport.failed.id]: "lost",
  [transport.not_sent.id]: "silence",
  [core.timeout.id]: "silence",
  [core.cancelled.id]: "silence",
};

/** What a call shows about its upstream and the tool that it called. */
export function signalsOf({ reply, judged }: Pick<Call, "reply" | "judged">, ended: EndedCall): BreakerSignals {
  if (reply === undefined || (reply.kind === "failed" && reply.isOld === true)) return SHOWS_NOTHING;
  const heard = judged === undefined ? "answer" : heardIn(reply, judged);
  const severalLost = ended.lost.note(ended.target, heard) || ended.isProbe;
  // A success that could not be passed on is a failure of the gateway.
  if (judged === undefined) return ended.sent === undefined ? BOTH_WORK : SHOWS_NOTHING;
  if (REFUSED.includes(judged.reason)) return BOTH_WORK;
  // The gateway itself had no room.
  if (knownKind(judged) === "overloaded" && judged.origin.layer === "gateway" && isOurs(judged)) return SHOWS_NOTHING;
  // Callers choose their deadline: a short one must not stop the calls of others.
  return breakerSignals(judged, { heard, waitedFully: isFullWait(ended.waitedMs, ended.timeoutMs), severalLost });
}

function heardIn(reply: UpstreamReply, judged: Fault): Heard {
  if (reply.kind === "answer") return heardOf(judged, reply.status);
  return HEARD_BY_REASON[judged.reason] ?? "answer";
}
