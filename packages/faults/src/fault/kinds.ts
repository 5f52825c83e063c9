/** Who has to act before the call can succeed. */
export type Actor = "model" | "host" | "person" | "time" | "engine" | "operator" | "nobody";

/** The five classes: what a reader falls back on when it does not know a kind. */
export const CLASSES = ["validation", "permission", "retryable", "dependency", "terminal"] as const;
/** One of the five classes of failure. */
export type FaultClass = (typeof CLASSES)[number];

/** Whether the call changed anything: certainly not, perhaps, certainly. */
export const EFFECTS = ["none", "possible", "applied"] as const;
/** What is known about the effect of the failed call. */
export type Effect = (typeof EFFECTS)[number];

/** The eight next moves. */
export const MOVES = [
  "retry",
  "authenticate",
  "fix_input",
  "choose_another",
  "refresh",
  "do_first",
  "ask_user",
  "stop",
] as const;
/** One next move: a verb that somebody can act on. */
export type Move = (typeof MOVES)[number];

/**
 * When the same call may be made again without the peer's word:
 * never, after new credentials, after an approval, after a wait, or when repeating is harmless.
 */
export type Repeat = "never" | "authenticated" | "approved" | "waited" | "harmless";

/** Everything that follows from a kind alone. */
export interface KindRow {
  readonly class: FaultClass;
  readonly actor: Actor;
  /** First move; kinds that repeat turn into `refresh` where repeating could do harm. */
  readonly move: Move;
  /** Effect unless a fault states another. */
  readonly effect: Effect;
  readonly repeat: Repeat;
  /** Whether a circuit breaker counts it against the server. */
  readonly breaker: boolean;
  readonly status: number;
  /** What is said when nothing more specific may be said. */
  readonly sentence: string;
}

/** The closed set of kinds, cut by what somebody does next. */
export const KINDS = {
  invalid_input: {
    class: "validation",
    actor: "model",
    move: "fix_input",
    effect: "none",
    repeat: "never",
    breaker: false,
    status: 422,
    sentence: "The arguments are not valid.",
  },
  invalid_request: {
    class: "validation",
    actor: "host",
    move: "stop",
    effect: "none",
    repeat: "never",
    breaker: false,
    status: 400,
    sentence: "The request is malformed.",
  },
  unauthenticated: {
    class: "permission",
    actor: "host",
    move: "authenticate",
    effect: "none",
    repeat: "authenticated",
    breaker: false,
    status: 401,
    sentence: "Valid credentials are required.",
  },
  forbidden: {
    class: "permission",
    actor: "person",
    move: "ask_user",
    effect: "none",
    repeat: "never",
    breaker: false,
    status: 403,
    sentence: "This is not allowed.",
  },
  approval_required: {
    class: "permission",
    actor: "person",
    move: "ask_user",
    effect: "none",
    repeat: "approved",
    breaker: false,
    status: 403,
    sentence: "A person has to approve this call first.",
  },
  rate_limited: {
    class: "retryable",
    actor: "time",
    move: "retry",
    effect: "none",
    repeat: "waited",
    breaker: false,
    status: 429,
    sentence: "Too many calls in a short time.",
  },
  overloaded: {
    class: "retryable",
    actor: "time",
    move: "retry",
    effect: "none",
    repeat: "waited",
    breaker: true,
    status: 503,
    sentence: "The service is too busy at the moment.",
  },
  timeout: {
    class: "retryable",
    actor: "engine",
    move: "refresh",
    effect: "possible",
    repeat: "harmless",
    breaker: true,
    status: 504,
    sentence: "There was no answer in time.",
  },
  unavailable: {
    class: "dependency",
    actor: "operator",
    move: "retry",
    effect: "possible",
    repeat: "harmless",
    breaker: true,
    status: 503,
    sentence: "A service that this call needs is not available.",
  },
  upstream_failed: {
    class: "dependency",
    actor: "operator",
    move: "retry",
    effect: "possible",
    repeat: "harmless",
    breaker: true,
    status: 502,
    sentence: "A service that this call needs has failed.",
  },
  not_found: {
    class: "terminal",
    actor: "model",
    move: "choose_another",
    effect: "none",
    repeat: "never",
    breaker: false,
    status: 404,
    sentence: "It was not found.",
  },
  conflict: {
    class: "terminal",
    actor: "model",
    move: "refresh",
    effect: "none",
    repeat: "never",
    breaker: false,
    status: 409,
    sentence: "It conflicts with the current state.",
  },
  precondition_failed: {
    class: "terminal",
    actor: "model",
    move: "do_first",
    effect: "none",
    repeat: "never",
    breaker: false,
    status: 422,
    sentence: "Something else has to happen first.",
  },
  unsupported: {
    class: "terminal",
    actor: "model",
    move: "choose_another",
    effect: "none",
    repeat: "never",
    breaker: false,
    status: 501,
    sentence: "This is not supported here.",
  },
  quota_exhausted: {
    class: "terminal",
    actor: "person",
    move: "ask_user",
    effect: "none",
    repeat: "never",
    breaker: false,
    status: 429,
    sentence: "The quota is used up and does not come back soon.",
  },
  cancelled: {
    class: "terminal",
    actor: "nobody",
    move: "stop",
    effect: "possible",
    repeat: "never",
    breaker: false,
    status: 499,
    sentence: "The call was cancelled.",
  },
  internal: {
    class: "terminal",
    actor: "operator",
    move: "stop",
    effect: "possible",
    repeat: "never",
    breaker: true,
    status: 500,
    sentence: "The call failed because of an internal error.",
  },
  unknown: {
    class: "terminal",
    actor: "nobody",
    move: "stop",
    effect: "possible",
    repeat: "never",
    breaker: false,
    status: 500,
    sentence: "The call failed in a way that could not be understood.",
  },
} as const satisfies Record<string, KindRow>;

/** One of the eighteen kinds. */
export type Kind = keyof typeof KINDS;

/** The kinds that somebody who reports a failure may choose: all but `unknown`, which only decoders use. */
export type StatedKind = Exclude<Kind, "unknown">;

/** The kind whose row stands in for a kind that this version does not know. */
const STAND_IN = {
  validation: "invalid_input",
  permission: "forbidden",
  retryable: "overloaded",
  dependency: "upstream_failed",
  terminal: "unknown",
} as const satisfies Record<FaultClass, Kind>;

/** Tells whether a value is a kind of this version. */
export function isKind(value: unknown): value is Kind {
  return typeof value === "string" && Object.hasOwn(KINDS, value);
}

/** Tells whether a value is one of the five classes. */
export function isFaultClass(value: unknown): value is FaultClass {
  return (CLASSES as readonly unknown[]).includes(value);
}

/** The kind itself, or the one that stands in for it when a newer peer used a kind unknown here. */
export function knownKind(fault: { readonly kind: string; readonly class: FaultClass }): Kind {
  return isKind(fault.kind) ? fault.kind : STAND_IN[fault.class];
}

/** The class of a kind, or of a fault whose kind may be newer than this version. */
export function classOf(of: Kind | { readonly kind: string; readonly class: FaultClass }): FaultClass {
  if (typeof of === "string") return KINDS[of].class;
  return isKind(of.kind) ? KINDS[of.kind].class : of.class;
}
