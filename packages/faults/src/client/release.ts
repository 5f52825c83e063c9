import { isCallersMistake } from "../fault/callers-mistake.ts";
import type { Fault } from "../fault/fault.ts";
import { knownKind } from "../fault/kinds.ts";
import { stamp } from "../fault/stamp.ts";
import { withhold } from "../fault/withhold.ts";
import type { SecretFilter } from "../safety/secrets.ts";
import { type CallIncident, type CallSink, tell } from "./incident.ts";
import type { Ending } from "./send.ts";
import type { Request } from "./shared.ts";
import type { Seen, Watched } from "./watch/watched.ts";

/** How an attempt failed, with what only the operator may see. */
export interface Failure {
  readonly fault: Fault;
  readonly ending: Ending;
  readonly seen: Seen | undefined;
}

/** A failed call, as the operator is told of it. */
export interface CallFacts {
  readonly request: Request;
  readonly attempts: number;
  readonly durationMs: number;
  readonly last: Failure | undefined;
}

/** What stamping and recording need. */
export interface ReleaseContext {
  readonly options: {
    readonly sink?: CallSink;
    readonly secrets?: SecretFilter;
    readonly watched?: Watched;
  };
  readonly now: () => number;
  readonly mint: () => string;
}

/**
 * The fault as the caller gets it: without the caller's secrets, with the time, and recorded where a sink is there to
 * keep the record that an incident id leads to. What the peer stamped stays.
 */
export function release(fault: Fault, facts: CallFacts, { options, now, mint }: ReleaseContext): Fault {
  const { sink, secrets } = options;
  const at = new Date(now()).toISOString();
  const recorded = sink !== undefined && !isCallersDoing(fault);
  const incident = recorded ? (fault.incident ?? mint()) : undefined;
  const out = stamp(withhold(fault, secrets), { at: fault.at ?? at, incident });
  if (recorded) tell(sink, { ...recordOf(facts, options.watched), fault: out, at, ...(secrets && { secrets }) });
  return out;
}

/** Mistakes of the caller and its own cancellations: nothing that an operator could act on. */
function isCallersDoing(fault: Fault): boolean {
  const gaveUp = knownKind(fault) === "cancelled" && fault.origin.layer === "client";
  return isCallersMistake(fault) || gaveUp;
}

function recordOf({ request, attempts, durationMs, last }: CallFacts, watched: Watched | undefined) {
  const { method, name } = request;
  const { seen } = last ?? {};
  const connection = watched?.connection();
  const cause = causeOf(last);
  return {
    method,
    ...(method === "tools/call" && { tool: name }),
    durationMs,
    attempts,
    ...(cause !== undefined && { cause }),
    ...(seen !== undefined && { phase: seen.phase }),
    ...(seen?.status !== undefined && { status: seen.status }),
    ...(seen?.body !== undefined && { body: seen.body }),
    ...(connection !== undefined && connection.stderr.length > 0 && { stderr: connection.stderr }),
    ...(connection?.exit !== undefined && { exit: connection.exit }),
  } satisfies Partial<CallIncident>;
}

function causeOf(last: Failure | undefined): unknown {
  if (last?.ending.how === "threw") return last.ending.error;
  return last?.ending.how === "answered" ? last.ending.result : last?.seen?.error;
}
