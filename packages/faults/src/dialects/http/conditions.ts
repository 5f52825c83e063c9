import { googleDetail } from "./codes.ts";
import { noneLeft } from "./hint.ts";
import type { Reply } from "./reply.ts";
import { isFixed, saysFailed, sentenceOf } from "./text.ts";

/** A wait that is longer than this is no wait. */
export const DAY_MS = 86_400_000;

interface Condition {
  /** The words that stand in the documentation. */
  readonly says: string;
  holds(reply: Reply): boolean;
}

const has = (...codes: readonly string[]) => {
  return ({ codes: found }: Reply): boolean => codes.some((code) => found.has(code));
};
const shown = (...codes: readonly string[]): string => codes.map((code) => `\`${code}\``).join(", ");

/** Codes of a limit that comes back soon, in the spelling that all codes are brought to. */
const RATE = [
  "rate_limit",
  "rate_limited",
  "rate_limit_exceeded",
  "ratelimitexceeded",
  "userratelimitexceeded",
  "too_many_requests",
  "throttled",
  "20429",
] as const;
/** Codes of one that does not. */
const QUOTA = ["insufficient_quota", "quotaexceeded", "dailylimitexceeded", "abnormal_usage_detected"] as const;

/** Everything that a rule may ask about a reply. */
export const CONDITIONS = {
  own: { says: "own credential", holds: ({ context }) => context.credential === "own" },
  failedBody: { says: "the body says that it failed", holds: (reply) => reply.form === "json" && isFailure(reply) },
  truncated: { says: "longer than the reader takes", holds: ({ context }) => context.truncated === true },
  notJson: { says: "JSON is expected and this is none", holds: isNotJson },
  rate: {
    says: `a code such as ${shown("rate_limit")}`,
    holds: has(...RATE),
  },
  quota: {
    says: "the quota is used up",
    holds: (reply) =>
      has(...QUOTA)(reply) ||
      (googleDetail(reply.body, "QuotaFailure") !== undefined && reply.hint === undefined) ||
      (reply.hint?.ms ?? 0) > DAY_MS,
  },
  abnormal: { says: `problem ${shown("abnormal-usage-detected")}`, holds: has("abnormal_usage_detected") },
  reduced: {
    says: `a code such as ${shown("temporary-reduced-capacity", "overloaded_error")}`,
    holds: has("temporary_reduced_capacity", "overloaded_error"),
  },
  card: { says: `a code such as ${shown("card_error")}`, holds: has("card_error", "card_declined") },
  noneLeft: { says: "`X-RateLimit-Remaining: 0`", holds: noneLeft },
  waits: { says: "a wait is named", holds: ({ hint }) => hint?.outright === true },
  secondary: { says: "the text says `secondary rate`", holds: isSecondary },
  oauth: { says: `OAuth ${shown("invalid_grant", "invalid_client")}`, holds: has("invalid_grant", "invalid_client") },
  scope: {
    says: "`insufficient_scope`",
    holds: (reply) =>
      has("insufficient_scope", "missing_scope")(reply) ||
      /\berror="?insufficient_scope\b/.test(reply.list("www-authenticate")?.slice(0, 4_096) ?? ""),
  },
  lock: { says: `code ${shown("lock_timeout")}`, holds: has("lock_timeout") },
  keyInUse: {
    says: "the key is in use",
    holds: (reply) =>
      has("idempotency_key_in_use")(reply) || isFixed(reply.body, "A request is outstanding for this Idempotency-Key"),
  },
  keyReused: {
    says: "the key was used for another request",
    holds: (reply) =>
      has("idempotency_error", "idempotency_key_reused")(reply) ||
      isFixed(reply.body, "Idempotency-Key is already used"),
  },
  keyMissing: {
    says: "the key is missing",
    holds: (reply) => isFixed(reply.body, "Idempotency-Key is missing"),
  },
  precondition: { says: shown("FAILED_PRECONDITION"), holds: ({ google }) => google === "FAILED_PRECONDITION" },
  range: { says: shown("OUT_OF_RANGE"), holds: ({ google }) => google === "OUT_OF_RANGE" },
  aborted: { says: shown("ABORTED"), holds: ({ google }) => google === "ABORTED" },
  cancelled: { says: shown("CANCELLED"), holds: ({ google }) => google === "CANCELLED" },
  fields: { says: "field errors", holds: ({ issues }) => issues.length > 0 },
  noPathParams: { says: "the address has no identifier", holds: ({ context }) => context.hasPathParams === false },
  unprocessed: { says: "promised to be unprocessed", holds: ({ context }) => context.unprocessed503 === true },
} as const satisfies Record<string, Condition>;

/** The name of a condition. */
export type ConditionName = keyof typeof CONDITIONS;

/** Whether all of the conditions hold. */
export function allHold(names: readonly ConditionName[], reply: Reply): boolean {
  return names.every((name) => (CONDITIONS[name] as Condition).holds(reply));
}

function isFailure(reply: Reply): boolean {
  return saysFailed(reply.body) || /^application\/problem\+json/i.test(reply.header("content-type") ?? "");
}

function isNotJson({ context, form, status }: Reply): boolean {
  const bare = status === 202 || status === 204 || status === 205 || context.httpMethod?.toUpperCase() === "HEAD";
  return context.expects === "json" && form !== "json" && !(bare && form === "empty");
}

/** The one limit that only the text tells of. */
function isSecondary({ body }: Reply): boolean {
  return /secondary rate/i.test(sentenceOf(body)?.slice(0, 1_024) ?? "");
}
