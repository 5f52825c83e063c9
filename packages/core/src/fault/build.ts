import type { FilterOptions } from "../safety/show-line.ts";
import { readId } from "../wire/ids.ts";
import { cleanCount, cleanEffect, FAULT_MEMBERS, readRequestId } from "./clean.ts";
import {
  type Basis,
  FAULT_LIMITS,
  type Fault,
  type Issue,
  type Limit,
  type Origin,
  type Param,
  packFault,
  type Quote,
  type Recourse,
  type RetryAdvice,
  type Tried,
} from "./fault.ts";
import { type Effect, isRetryable, KINDS, type Kind, type Move } from "./kinds.ts";
import { noteAssumedEffect, readProvenance } from "./provenance.ts";

declare const isAuthored: unique symbol;
/** A sentence made of an author's literals and checked values. Only such a sentence can become a message. */
export type Authored = string & { readonly [isAuthored]: true };

/** What a fault may carry beside its kind, reason and message. */
export interface FaultDetails {
  /** Whether the call changed anything. @default what is usual for the kind */
  readonly effect?: Effect;
  /** Making the call twice is safe, so `retry` may be the next move even if it had an effect. @default false */
  readonly repeatable?: boolean;
  /** The advice of the peer about repeating the call. @default none */
  readonly retry?: RetryAdvice;
  /** How long to wait before a retry, in ms, if `retry` does not say it. @default no wait is named */
  readonly afterMs?: number;
  /** Problems with the arguments, at most 20. @default none */
  readonly issues?: readonly Issue[];
  /** Limits that were reached, at most 5. @default none */
  readonly limits?: readonly Limit[];
  /** The next moves, at most three. `retry` is removed if it could do harm. @default derived from kind and effect */
  readonly recourse?: readonly Recourse[];
  /** Text about the failure that neither you nor Recourse wrote. @default none */
  readonly quote?: Quote;
  /** Where the fault was made. @default the server */
  readonly origin?: Origin;
  /** Where the kind comes from. @default "stated" */
  readonly basis?: Basis;
  /** What a retry engine already did. @default nothing */
  readonly tried?: Tried;
}

/** What `buildFault` needs. The message and the params have passed their slots. */
export interface FaultParts extends FaultDetails, FilterOptions {
  readonly kind: Kind;
  readonly reason: string;
  readonly message: Authored;
  readonly params?: Readonly<Record<string, Param>> | undefined;
  readonly cause?: Fault | undefined;
  readonly incident?: string | undefined;
  readonly requestId?: string | undefined;
}

const SERVER_ORIGIN: Origin = Object.freeze({ layer: "server" });

/** Builds a frozen fault. It is pure and never throws. */
export function buildFault(parts: FaultParts): Fault {
  const row = KINDS[parts.kind];
  const effect = cleanEffect(parts.effect, row.effect);
  const { retry, issues, recourse: chosen, ...details } = cleanDetails(parts);
  const facts = {
    kind: parts.kind,
    effect,
    retry,
    issues,
    repeatable: parts.repeatable,
    afterMs: cleanCount(parts.afterMs),
  };
  const fault = packFault({
    v: 1,
    kind: parts.kind,
    class: row.class,
    reason: parts.reason,
    message: parts.message === "" ? row.fallbackMessage : parts.message,
    params: parts.params === undefined ? undefined : cutParams(parts.params),
    quote: details.quote,
    recourse: Object.freeze(chosen === undefined ? deriveRecourse(facts) : permittedMoves(chosen, facts)),
    effect,
    retry,
    issues,
    limits: details.limits,
    origin: details.origin ?? SERVER_ORIGIN,
    basis: details.basis ?? "stated",
    tried: details.tried,
    incident: parts.kind === "unauthenticated" ? undefined : readId(parts.incident),
    requestId: parts.kind === "unauthenticated" ? undefined : readRequestId(parts.requestId, parts.secrets),
    cause: parts.cause === undefined ? undefined : cutCauses(parts.cause, FAULT_LIMITS.causes),
  });
  if (parts.effect === undefined) noteAssumedEffect(fault);
  return fault;
}

const CLEANED_DETAILS = ["retry", "issues", "recourse", "limits", "quote", "origin", "basis", "tried"] as const;

/** The details that are given: most faults have few. */
function cleanDetails(parts: FaultParts): { readonly [K in (typeof CLEANED_DETAILS)[number]]?: Fault[K] | undefined } {
  const out: Record<string, unknown> = {};
  for (const name of CLEANED_DETAILS)
    if (parts[name] !== undefined) out[name] = FAULT_MEMBERS[name].clean(parts[name], parts);
  return out;
}

function cutParams(params: Readonly<Record<string, Param>>): Readonly<Record<string, Param>> {
  const entries = Object.entries(params);
  return entries.length <= FAULT_LIMITS.params
    ? params
    : Object.freeze(Object.fromEntries(entries.slice(0, FAULT_LIMITS.params)));
}

/** The first faults of a chain of causes, at most `depth`. */
export function cutCauses(fault: Fault, depth: number): Fault | undefined {
  if (depth <= 0) return undefined;
  if (fault.cause === undefined) return fault;
  const cause = cutCauses(fault.cause, depth - 1);
  return cause === fault.cause ? fault : packFault({ ...fault, cause }, readProvenance(fault));
}

export interface RecourseFacts {
  readonly kind: Kind;
  readonly effect: Effect;
  /** Making the call twice is safe. */
  readonly repeatable?: boolean | undefined;
  readonly retry?: RetryAdvice | undefined;
  /** The wait that the contract of a system prescribes. A wait that the peer stated comes first. */
  readonly afterMs?: number | undefined;
  readonly issues?: readonly Issue[] | undefined;
}

export function deriveRecourse(facts: RecourseFacts): [Recourse, ...Recourse[]] {
  const { kind, retry } = facts;
  const isSafe = isSafeToRepeat(facts);
  const isInvited = retry?.allowed === true;
  const usual: Move = isRetryable(kind) ? "retry" : KINDS[kind].firstMove;
  // A call that may have had an effect is checked before it is repeated, even if the peer says "retry".
  const isChecked = !isSafe && (usual === "retry" || (usual === "stop" && isInvited));
  if (isChecked) {
    // A wait that the peer stated is in `retry`; this one is known nowhere else.
    const isKnownHere = retry?.allowed !== false && retry?.afterMs === undefined;
    return [withWait("refresh", isKnownHere ? facts.afterMs : undefined)];
  }
  if (isInvited && isSafe) {
    const first = moveOf("retry", facts);
    return usual === "retry" ? [first] : [first, moveOf(usual, facts)];
  }
  return [moveOf(retry?.allowed === false && usual === "retry" ? "stop" : usual, facts)];
}

/**
 * Removes `retry` from chosen moves if the effect or the peer forbids it. If no move is left, the derived ones are
 * returned, with the wait of the first one that was removed.
 */
export function permittedMoves(chosen: readonly Recourse[], facts: RecourseFacts): [Recourse, ...Recourse[]] {
  const mayRetry = isSafeToRepeat(facts) && facts.retry?.allowed !== false;
  const [first, ...rest] = chosen.filter((move) => move.do !== "retry" || mayRetry).slice(0, FAULT_LIMITS.recourse);
  if (first !== undefined) return [first, ...rest];
  return deriveRecourse({ ...facts, afterMs: facts.afterMs ?? chosen[0]?.afterMs });
}

function isSafeToRepeat({ effect, repeatable }: RecourseFacts): boolean {
  return effect === "none" || repeatable === true;
}

function moveOf(move: Move, facts: RecourseFacts): Recourse {
  if (move === "retry") return withWait(move, facts.retry?.afterMs ?? facts.afterMs);
  if (move === "fix_input" && facts.issues !== undefined && facts.issues.length > 0) {
    const fields = [...new Set(facts.issues.map((issue) => issue.pointer))].slice(0, FAULT_LIMITS.fields);
    return Object.freeze({ do: move, fields: Object.freeze(fields) });
  }
  return Object.freeze({ do: move });
}

function withWait(move: Move, afterMs: number | undefined): Recourse {
  return Object.freeze(afterMs === undefined ? { do: move } : { do: move, afterMs });
}
