/** Who has to act before the call can succeed. */
export type Actor = "model" | "host" | "person" | "time" | "engine" | "operator" | "nobody";

/** The five classes of kinds. Programs that meet a kind they do not know act on its class. */
export const CLASSES = ["validation", "permission", "retryable", "dependency", "terminal"] as const;
/** One of the five classes of failure. */
export type FaultClass = (typeof CLASSES)[number];

/** Whether the failed call changed anything: certainly not, perhaps, certainly. */
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
/** One next move: what the model, the host software or a person does about the failure. */
export type Move = (typeof MOVES)[number];

/**
 * When the same call may be made again, if the server gave no advice:
 * - `never`: the same call fails again.
 * - `after_credentials`: once, with new credentials.
 * - `after_approval`: after a person approved this call.
 * - `after_wait`: after a wait.
 * - `if_safe`: if the call had no effect, or if making it twice is safe.
 */
export type RetryCondition = "never" | "after_credentials" | "after_approval" | "after_wait" | "if_safe";

/** What follows from a kind alone. */
export interface KindRow {
  /** The class of the kind. */
  readonly class: FaultClass;
  /** Who has to act. */
  readonly actor: Actor;
  /** The first move. If it is `retry` and a second call could do harm, a fault says `refresh` instead. */
  readonly firstMove: Move;
  /** The effect of the call, unless the fault states another one. */
  readonly effect: Effect;
  /** When the same call may be made again. */
  readonly retryWhen: RetryCondition;
  /** Whether a circuit breaker counts the failure against the tool, or against the server if nothing answered. */
  readonly tripsBreaker: boolean;
  /** Whether the failure is reported to the operator even if no text was hidden from the caller. */
  readonly reported: boolean;
  /** The HTTP status of an answer with this kind. */
  readonly httpStatus: number;
  /** The message of a fault that has no message of its own. */
  readonly fallbackMessage: string;
}

/** The 18 kinds of failure, named by what has to happen next. The set is closed. */
export const KINDS = {
  invalid_input: {
    class: "validation",
    actor: "model",
    firstMove: "fix_input",
    effect: "none",
    retryWhen: "never",
    tripsBreaker: false,
    reported: false,
    httpStatus: 422,
    fallbackMessage: "The arguments are wrong.",
  },
  invalid_request: {
    class: "validation",
    actor: "host",
    firstMove: "stop",
    effect: "none",
    retryWhen: "never",
    tripsBreaker: false,
    reported: false,
    httpStatus: 400,
    fallbackMessage: "The request is malformed.",
  },
  unauthenticated: {
    class: "permission",
    actor: "host",
    firstMove: "authenticate",
    effect: "none",
    retryWhen: "after_credentials",
    tripsBreaker: false,
    reported: false,
    httpStatus: 401,
    fallbackMessage: "Valid credentials are required.",
  },
  forbidden: {
    class: "permission",
    actor: "person",
    firstMove: "ask_user",
    effect: "none",
    retryWhen: "never",
    tripsBreaker: false,
    reported: false,
    httpStatus: 403,
    fallbackMessage: "This call is not allowed.",
  },
  approval_required: {
    class: "permission",
    actor: "person",
    firstMove: "ask_user",
    effect: "none",
    retryWhen: "after_approval",
    tripsBreaker: false,
    reported: false,
    httpStatus: 403,
    fallbackMessage: "A person has to approve this call first.",
  },
  rate_limited: {
    class: "retryable",
    actor: "time",
    firstMove: "retry",
    effect: "none",
    retryWhen: "after_wait",
    tripsBreaker: false,
    reported: false,
    httpStatus: 429,
    fallbackMessage: "Too many calls in a short time.",
  },
  overloaded: {
    class: "retryable",
    actor: "time",
    firstMove: "retry",
    effect: "none",
    retryWhen: "after_wait",
    tripsBreaker: true,
    reported: true,
    httpStatus: 503,
    fallbackMessage: "The service is too busy at the moment.",
  },
  timeout: {
    class: "retryable",
    actor: "engine",
    firstMove: "refresh",
    effect: "possible",
    retryWhen: "if_safe",
    tripsBreaker: true,
    reported: true,
    httpStatus: 504,
    fallbackMessage: "No answer came in time.",
  },
  unavailable: {
    class: "dependency",
    actor: "operator",
    firstMove: "retry",
    effect: "possible",
    retryWhen: "if_safe",
    tripsBreaker: true,
    reported: true,
    httpStatus: 503,
    fallbackMessage: "A service that this call needs is not available.",
  },
  upstream_failed: {
    class: "dependency",
    actor: "operator",
    firstMove: "retry",
    effect: "possible",
    retryWhen: "if_safe",
    tripsBreaker: true,
    reported: true,
    httpStatus: 502,
    fallbackMessage: "A service that this call needs has failed.",
  },
  not_found: {
    class: "terminal",
    actor: "model",
    firstMove: "choose_another",
    effect: "none",
    retryWhen: "never",
    tripsBreaker: false,
    reported: false,
    httpStatus: 404,
    fallbackMessage: "What the call asked for was not found.",
  },
  conflict: {
    class: "terminal",
    actor: "model",
    firstMove: "refresh",
    effect: "none",
    retryWhen: "never",
    tripsBreaker: false,
    reported: false,
    httpStatus: 409,
    fallbackMessage: "The call conflicts with the current state.",
  },
  precondition_failed: {
    class: "terminal",
    actor: "model",
    firstMove: "do_first",
    effect: "none",
    retryWhen: "never",
    tripsBreaker: false,
    reported: false,
    httpStatus: 422,
    fallbackMessage: "Something else has to happen first.",
  },
  unsupported: {
    class: "terminal",
    actor: "model",
    firstMove: "choose_another",
    effect: "none",
    retryWhen: "never",
    tripsBreaker: false,
    reported: false,
    httpStatus: 501,
    fallbackMessage: "This call is not supported here.",
  },
  quota_exhausted: {
    class: "terminal",
    actor: "person",
    firstMove: "ask_user",
    effect: "none",
    retryWhen: "never",
    tripsBreaker: false,
    reported: false,
    httpStatus: 429,
    fallbackMessage: "The quota is used up and does not come back soon.",
  },
  cancelled: {
    class: "terminal",
    actor: "nobody",
    firstMove: "stop",
    effect: "possible",
    retryWhen: "never",
    tripsBreaker: false,
    reported: false,
    httpStatus: 499,
    fallbackMessage: "The call was cancelled.",
  },
  internal: {
    class: "terminal",
    actor: "operator",
    firstMove: "stop",
    effect: "possible",
    retryWhen: "never",
    tripsBreaker: true,
    reported: true,
    httpStatus: 500,
    fallbackMessage: "The call failed because of an internal error.",
  },
  unknown: {
    class: "terminal",
    actor: "model",
    firstMove: "refresh",
    effect: "possible",
    retryWhen: "never",
    tripsBreaker: false,
    reported: false,
    httpStatus: 500,
    fallbackMessage: "The call failed for an unknown reason.",
  },
} as const satisfies Record<string, KindRow>;

/** One of the 18 kinds of failure. */
export type Kind = keyof typeof KINDS;

/** The kinds that you may state: all but `unknown`, which stands for a failure that only a sentence describes. */
export type StatedKind = Exclude<Kind, "unknown">;

const FALLBACK_KIND = {
  validation: "invalid_input",
  permission: "forbidden",
  retryable: "overloaded",
  dependency: "upstream_failed",
  terminal: "unknown",
} as const satisfies Record<FaultClass, Kind>;

export function isKind(value: unknown): value is Kind {
  return typeof value === "string" && Object.hasOwn(KINDS, value);
}

export function isFaultClass(value: unknown): value is FaultClass {
  return (CLASSES as readonly unknown[]).includes(value);
}

/** The kind of a fault, or a kind of the same class if a newer version sent a kind that this version does not know. */
export function knownKind(fault: { readonly kind: string; readonly class: FaultClass }): Kind {
  return isKind(fault.kind) ? fault.kind : FALLBACK_KIND[fault.class];
}

/** The class of a kind, or of a fault whose kind may be newer than this version. */
export function classOf(of: Kind | { readonly kind: string; readonly class: FaultClass }): FaultClass {
  if (typeof of === "string") return KINDS[of].class;
  return isKind(of.kind) ? KINDS[of.kind].class : of.class;
}

/** Tells whether time alone can make the same call succeed: no credentials, approval or other arguments are needed. */
export function isRetryable(kind: Kind): boolean {
  const { retryWhen } = KINDS[kind];
  return retryWhen === "after_wait" || retryWhen === "if_safe";
}
