import type { Effect, FaultClass, Kind, Move } from "./kinds.ts";

/** A scalar, or a short list of scalars; `null` stands for a value that was withheld. */
export type Param = Scalar | readonly Scalar[];
/** One plain value. */
export type Scalar = string | number | boolean | null;

/** Who wrote a quoted text. */
export const AUTHORS = ["peer", "thrown", "upstream"] as const;
/** Text that somebody else wrote: always shown fenced and named, never mixed into the message. */
export interface Quote {
  readonly text: string;
  readonly from: (typeof AUTHORS)[number];
}

/** One next move with the little data it needs. */
export interface Recourse {
  readonly do: Move;
  /** `retry`: how long to wait first. */
  readonly afterMs?: number;
  /** `fix_input`: JSON Pointers of the arguments to correct. */
  readonly fields?: readonly string[];
  /** `choose_another`: names to choose from. */
  readonly candidates?: readonly string[];
  /** `do_first`, `refresh`: the tool to call. */
  readonly tool?: string;
  /** `ask_user`: the approval that is waiting, and where a person decides. */
  readonly approval?: string;
  readonly link?: string;
}

/** How waits grow between attempts. */
export const BACKOFFS = ["fixed", "exponential"] as const;
/** The peer's own word on repeating the call. */
export interface RetryWord {
  readonly allowed: boolean;
  readonly afterMs?: number;
  /** Counts further attempts, not the first one. */
  readonly maxAttempts?: number;
  readonly backoff?: (typeof BACKOFFS)[number];
  /** Fraction of the wait, in [0, 1). */
  readonly jitter?: number;
}

/** What an argument did not satisfy. */
export const RULES = [
  "required",
  "type",
  "format",
  "range",
  "length",
  "choice",
  "unknown",
  "duplicate",
  "custom",
] as const;
/** One of the nine things that can be wrong with an argument. */
export type IssueRule = (typeof RULES)[number];
/** One problem with one argument; the received value is never part of it. */
export interface Issue {
  /** JSON Pointer into the arguments; empty for the whole. */
  readonly pointer: string;
  readonly rule: IssueRule;
  readonly expected?: string;
  readonly suggestion?: string;
}

/** One limit that was hit or is near. */
export interface Limit {
  readonly policy?: string;
  readonly unit?: string;
  readonly quota?: number;
  readonly remaining?: number;
  readonly windowMs?: number;
  readonly resetMs?: number;
  readonly scope?: string;
}

/** Where in the chain a fault was made. */
export const LAYERS = ["client", "transport", "gateway", "server", "upstream"] as const;
/** The layer that made the fault, and its public name. */
export interface Origin {
  readonly layer: (typeof LAYERS)[number];
  readonly name?: string;
}

/** How certain the fault is: said by the peer, mapped from its code, guessed from its text. */
export const BASES = ["stated", "mapped", "guessed"] as const;
/** How certain a fault is. */
export type Basis = (typeof BASES)[number];

/** Why an engine stopped repeating. */
export const STOPS = [
  "attempts",
  "budget",
  "deadline",
  "unsafe",
  "told",
  "looping",
  "final",
  "guessed",
  "breaker",
  "aborted",
] as const;
/** What an engine already did about the failure. */
export interface Tried {
  readonly attempts: number;
  readonly elapsedMs: number;
  readonly stopped: (typeof STOPS)[number];
}

/**
 * One failed call, as public, frozen, JSON-safe data.
 * `kind` may be newer than this version: read it with `knownKind`, or use `class`.
 */
export interface Fault {
  readonly v: 1;
  readonly kind: Kind | (string & {});
  readonly class: FaultClass;
  /** `domain/name`; ad-hoc faults are `adhoc/<kind>`. */
  readonly reason: string;
  readonly message: string;
  readonly params?: Readonly<Record<string, Param>>;
  readonly quote?: Quote;
  readonly recourse: readonly [Recourse, ...Recourse[]];
  readonly effect: Effect;
  readonly retry?: RetryWord;
  readonly issues?: readonly Issue[];
  readonly limits?: readonly Limit[];
  readonly origin: Origin;
  readonly basis: Basis;
  readonly tried?: Tried;
  readonly incident?: string;
  readonly at?: string;
  readonly trace?: string;
  readonly docs?: string;
  readonly cause?: Fault;
}

/** The limits that every fault keeps. */
export const MAX = {
  message: 240,
  quote: 500,
  recourse: 3,
  fields: 10,
  candidates: 10,
  name: 64,
  link: 256,
  params: 20,
  paramText: 200,
  list: 10,
  issues: 20,
  pointer: 200,
  issueText: 120,
  limits: 5,
  causes: 3,
} as const;
