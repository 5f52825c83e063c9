import type { Nets } from "../safety/nets.ts";
import {
  cleanBasis,
  cleanCount,
  cleanEffect,
  cleanIssues,
  cleanLimits,
  cleanOrigin,
  cleanQuote,
  cleanRecourse,
  cleanRetry,
  cleanTried,
  pack,
} from "./clean.ts";
import type { Basis, Fault, Issue, Limit, Origin, Param, Quote, Recourse, RetryWord, Tried } from "./fault.ts";
import { MAX } from "./fault.ts";
import { type Effect, KINDS, type Kind } from "./kinds.ts";
import { deriveRecourse, permitted } from "./recourse.ts";

declare const authored: unique symbol;
/** A sentence composed from an author's literals and checked slots; nothing else fits a message. */
export type Authored = string & { readonly [authored]: true };

/** What a fault may carry beyond its kind, reason and message; the second argument of every reason. */
export interface Details {
  readonly effect?: Effect;
  /** Somebody vouches that repeating the call does no harm. */
  readonly repeatable?: boolean;
  readonly retry?: RetryWord;
  /** A wait that a contract prescribes where nobody said one. */
  readonly afterMs?: number;
  readonly issues?: readonly Issue[];
  readonly limits?: readonly Limit[];
  readonly recourse?: readonly Recourse[];
  readonly quote?: Quote;
  readonly origin?: Origin;
  readonly basis?: Basis;
  readonly tried?: Tried;
}

/** Everything that building needs; message and params have passed their slots. */
export interface Parts extends Details, Nets {
  readonly kind: Kind;
  readonly reason: string;
  readonly message: Authored;
  readonly params?: Readonly<Record<string, Param>> | undefined;
  readonly cause?: Fault | undefined;
}

const HERE: Origin = Object.freeze({ layer: "server" });

/** Builds a fault: pure, total, frozen. */
export function buildFault(parts: Parts): Fault {
  const row = KINDS[parts.kind];
  const effect = cleanEffect(parts.effect, row.effect);
  const retry = parts.retry === undefined ? undefined : cleanRetry(parts.retry);
  const issues = parts.issues === undefined ? undefined : cleanIssues(parts.issues, parts);
  const chosen = parts.recourse === undefined ? undefined : cleanRecourse(parts.recourse, parts);
  const facts = {
    kind: parts.kind,
    effect,
    retry,
    issues,
    repeatable: parts.repeatable,
    afterMs: cleanCount(parts.afterMs),
  };
  const recourse = chosen === undefined ? deriveRecourse(facts) : permitted(chosen, facts);
  return pack<Fault>({
    v: 1,
    kind: parts.kind,
    class: row.class,
    reason: parts.reason,
    message: parts.message === "" ? row.sentence : parts.message,
    params: parts.params === undefined ? undefined : cutParams(parts.params),
    quote: parts.quote === undefined ? undefined : cleanQuote(parts.quote, parts),
    recourse: Object.freeze(recourse),
    effect,
    retry,
    issues,
    limits: parts.limits === undefined ? undefined : cleanLimits(parts.limits, parts),
    origin: cleanOrigin(parts.origin, parts) ?? HERE,
    basis: cleanBasis(parts.basis),
    tried: parts.tried === undefined ? undefined : cleanTried(parts.tried),
    incident: undefined,
    at: undefined,
    trace: undefined,
    docs: undefined,
    cause: parts.cause === undefined ? undefined : cutCauses(parts.cause, MAX.causes),
  });
}

function cutParams(params: Readonly<Record<string, Param>>): Readonly<Record<string, Param>> {
  const entries = Object.entries(params);
  return entries.length <= MAX.params ? params : Object.freeze(Object.fromEntries(entries.slice(0, MAX.params)));
}

/** The cause chain, at most `depth` faults long. */
export function cutCauses(fault: Fault, depth: number): Fault | undefined {
  if (depth <= 0) return undefined;
  if (fault.cause === undefined) return fault;
  const cause = cutCauses(fault.cause, depth - 1);
  if (cause === fault.cause) return fault;
  const { cause: _cut, ...rest } = fault;
  return Object.freeze(cause === undefined ? rest : { ...rest, cause });
}
