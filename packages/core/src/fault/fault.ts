// The names that can stand in a fault. Reading, building, the JSON Schema and `defineReasons` share these patterns.

import type { Effect, FaultClass, Kind, Move } from "./kinds.ts";
import { type Provenance, setProvenance } from "./provenance.ts";

/** A plain value of a fault: a scalar, or a list of at most ten. `null` replaces a value that may not be shown. */
export type Param = Scalar | readonly Scalar[];
export type Scalar = string | number | boolean | null;

/** Who wrote a quoted text. */
export const AUTHORS = ["peer", "thrown", "upstream"] as const;
/** Text that neither you nor Recourse wrote. It is always shown as a quotation and never becomes part of the message. */
export interface Quote {
  /** The text: one line, at most 500 characters. */
  readonly text: string;
  /** Who wrote it: the MCP server (`peer`), code that threw it (`thrown`), or a service behind the server (`upstream`). */
  readonly from: (typeof AUTHORS)[number];
}

/** One next move, with the data that it needs. */
export interface Recourse {
  /** What to do. */
  readonly do: Move;
  /** For `retry` and `refresh`: how long to wait before the call is repeated, in milliseconds. */
  readonly afterMs?: number;
  /** For `fix_input`: JSON Pointers of the arguments to correct, at most 10. */
  readonly fields?: readonly string[];
  /** For `choose_another`: names to choose from, at most 10. */
  readonly candidates?: readonly string[];
  /** For `do_first` and `refresh`: the tool to call. */
  readonly tool?: string;
  /** For `ask_user`: the id of the approval that is waiting. */
  readonly approval?: string;
  /** For `ask_user`: the page where a person decides. */
  readonly link?: string;
}

/** How the waits between attempts grow. */
export const BACKOFFS = ["fixed", "exponential"] as const;
/** The advice of the peer about repeating the call. */
export interface RetryAdvice {
  /** Whether the call may be made again. */
  readonly allowed: boolean;
  /** How long to wait first, in milliseconds. */
  readonly afterMs?: number;
  /** How many more attempts are allowed. The first call does not count. */
  readonly maxAttempts?: number;
  /** Whether the wait stays the same or doubles with every attempt. */
  readonly backoff?: (typeof BACKOFFS)[number];
  /** The random part of the wait, as a fraction in [0, 1). */
  readonly jitter?: number;
}

/** The rules that an argument can break. */
export const ISSUE_RULES = [
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
/** The rule that an argument broke. */
export type IssueRule = (typeof ISSUE_RULES)[number];
/** How an argument broke its rule, if the rule leaves that open. The words are those of Zod. */
export const ISSUE_CODES = ["too_small", "too_big", "not_multiple_of", "invalid_union", "invalid_value"] as const;
/** One of these words. */
export type IssueCode = (typeof ISSUE_CODES)[number];
/** One problem with one argument. Only the sentence of an author may contain the value that was received. */
export interface Issue {
  /** JSON Pointer to the argument. The empty pointer means the arguments as a whole. */
  readonly pointer: string;
  /** The rule that the argument broke. */
  readonly rule: IssueRule;
  /** What the argument should be, at most 120 characters. */
  readonly expected?: string;
  /** The author's own sentence about it, or the service's, at most 240 characters; in place of `expected`. */
  readonly message?: string;
  /** A name or value that was probably meant, at most 120 characters. */
  readonly suggestion?: string;
  /** How the rule was broken, such as `too_small` for a range, for wires that tell both ends apart. */
  readonly code?: IssueCode;
  /** For the rule `unknown`: the arguments that the tool does not have, as far as their names are plain ones; at most 10. */
  readonly keys?: readonly string[];
}

/** One limit that was reached, or that is near. */
export interface Limit {
  /** The name of the limit. */
  readonly policy?: string;
  /** What is counted, such as `requests`. */
  readonly unit?: string;
  /** How many units are allowed in a window. */
  readonly quota?: number;
  /** How many units are left. */
  readonly remaining?: number;
  /** The length of the window, in milliseconds. */
  readonly windowMs?: number;
  /** Time until the window starts again, in milliseconds. */
  readonly resetMs?: number;
  /** Whom the limit applies to, such as `user` or `key`. */
  readonly scope?: string;
}

/** The parts of a system in which a fault can be made. */
export const LAYERS = ["client", "transport", "gateway", "server", "upstream"] as const;
/** Where the fault was made. */
export interface Origin {
  /** The part of the system. */
  readonly layer: (typeof LAYERS)[number];
  /** The public name of the program, at most 64 characters. */
  readonly name?: string;
}

/** Where the kind of a fault comes from, the most certain source first. */
export const BASES = ["stated", "mapped", "guessed"] as const;
/** Where the kind of a fault comes from: the peer stated it, its code was mapped, or its text was interpreted. */
export type Basis = (typeof BASES)[number];

/** Why a retry engine stopped. */
export const STOPS = [
  "attempts",
  "budget",
  "deadline",
  "unsafe",
  "refused",
  "looping",
  "final",
  "guessed",
  "breaker",
  "aborted",
] as const;
/** What a retry engine did before it gave up. */
export interface Tried {
  /** How many times the call was sent. 0 if it never was. */
  readonly attempts: number;
  /** The time from the first attempt to the end, in milliseconds. */
  readonly elapsedMs: number;
  /** Why the engine stopped. */
  readonly stopped: (typeof STOPS)[number];
  /** How many equal calls of the conversation failed the same way, this one included. Set if it stopped for `looping`. */
  readonly equalFailures?: number;
}

/** One failed call, as public, frozen, JSON-safe data. */
export interface Fault {
  /** The version of the format. */
  readonly v: 1;
  /** What kind of failure it is. A newer version may send a kind that is not listed here: read it with `knownKind`. */
  readonly kind: Kind | (string & {});
  /** The class of the kind. */
  readonly class: FaultClass;
  /** The name of the failure, `domain/name`. Faults made with `fail` are named `adhoc/<kind>`. */
  readonly reason: string;
  /** One sentence for the reader, at most 240 characters. */
  readonly message: string;
  /** The values in the message, and others that belong to the reason. At most 20. */
  readonly params?: Readonly<Record<string, Param>>;
  /** Text about the failure that neither you nor Recourse wrote. */
  readonly quote?: Quote;
  /** What to do next, the best move first. At most three moves. */
  readonly recourse: readonly [Recourse, ...Recourse[]];
  /** Whether the call changed anything. */
  readonly effect: Effect;
  /** The advice of the peer about repeating the call. */
  readonly retry?: RetryAdvice;
  /** Problems with the arguments, at most 20. */
  readonly issues?: readonly Issue[];
  /** Limits that were reached, at most 5. */
  readonly limits?: readonly Limit[];
  /** Where the fault was made. */
  readonly origin: Origin;
  /** Where the kind comes from. Calls with a `guessed` kind are never repeated. */
  readonly basis: Basis;
  /** What a retry engine already did. */
  readonly tried?: Tried;
  /** The id of the private record that the operator has of this failure. */
  readonly incident?: string;
  /** The id that a service behind the server gave to its request. The operator of the service finds the request by it. */
  readonly requestId?: string;
  /** When it happened, as an ISO 8601 time. */
  readonly at?: string;
  /** The W3C traceparent of the request. */
  readonly trace?: string;
  /** A page about the reason. */
  readonly docs?: string;
  /** The fault that led to this one. At most three faults follow each other. */
  readonly cause?: Fault;
}

type RequiredMember = { [K in keyof Fault]-?: object extends Pick<Fault, K> ? never : K }[keyof Fault];
/** The members of a fault. An optional one may be undefined. */
export type FaultMembers = Pick<Fault, RequiredMember> & {
  readonly [K in Exclude<keyof Fault, RequiredMember>]?: Fault[K] | undefined;
};

/**
 * A frozen fault without the members that are undefined. This function alone defines the order of the members. It names
 * each of them, since a loop over their names takes several times as long.
 */
export function packFault(members: FaultMembers, provenance?: Provenance): Fault {
  const fault: { -readonly [K in keyof Fault]?: Fault[K] } = {
    v: members.v,
    kind: members.kind,
    class: members.class,
    reason: members.reason,
    message: members.message,
  };
  if (members.params !== undefined) fault.params = members.params;
  if (members.quote !== undefined) fault.quote = members.quote;
  fault.recourse = members.recourse;
  fault.effect = members.effect;
  if (members.retry !== undefined) fault.retry = members.retry;
  if (members.issues !== undefined) fault.issues = members.issues;
  if (members.limits !== undefined) fault.limits = members.limits;
  fault.origin = members.origin;
  fault.basis = members.basis;
  if (members.tried !== undefined) fault.tried = members.tried;
  if (members.incident !== undefined) fault.incident = members.incident;
  if (members.requestId !== undefined) fault.requestId = members.requestId;
  if (members.at !== undefined) fault.at = members.at;
  if (members.trace !== undefined) fault.trace = members.trace;
  if (members.docs !== undefined) fault.docs = members.docs;
  if (members.cause !== undefined) fault.cause = members.cause;
  setProvenance(fault, provenance);
  return Object.freeze(fault) as Fault;
}

/** The limits of a fault: lengths in characters, and numbers of items. */
export const FAULT_LIMITS = {
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
  issueMessage: 240,
  issueKeys: 10,
  issueKey: 64,
  limits: 5,
  causes: 3,
} as const;

const DOMAIN_PATTERN = "[a-z][a-z0-9_]{0,39}";
const REASON_PATTERN = "[a-z][a-z0-9_]{0,59}";
const PARAM_PATTERN = "[A-Za-z][A-Za-z0-9_]{0,39}";

/** The patterns as text, for the JSON Schema: the source of a RegExp would escape the slash of an id. */
export const PATTERNS = {
  kind: "^[a-z][a-z_]{1,39}$",
  reasonId: `^${DOMAIN_PATTERN}/${REASON_PATTERN}$`,
  param: `^${PARAM_PATTERN}$`,
} as const;

/** The name of a kind. It includes kinds that only a newer version knows. */
export const KIND_NAME: RegExp = /* @__PURE__ */ new RegExp(PATTERNS.kind);
/** The first part of a reason's id. */
export const DOMAIN_NAME: RegExp = /* @__PURE__ */ new RegExp(`^${DOMAIN_PATTERN}$`);
/** The second part of a reason's id. */
export const REASON_NAME: RegExp = /* @__PURE__ */ new RegExp(`^${REASON_PATTERN}$`);
/** The id of a reason, `domain/name`. */
export const REASON_ID: RegExp = /* @__PURE__ */ new RegExp(PATTERNS.reasonId);
export const PARAM_NAME: RegExp = /* @__PURE__ */ new RegExp(PATTERNS.param);
/** A param in the text of a reason: its name in braces. */
export const PARAM_IN_BRACES: RegExp = /* @__PURE__ */ new RegExp(`\\{(${PARAM_PATTERN})\\}`);

/** The name of an argument that a caller made up, if it is a plain one: at most 64 characters. */
export const PLAIN_KEY: RegExp = /^[A-Za-z_][\w.-]{0,63}$/;
