import { bodySentence, googleDetail, hasTitle, reportsFailure } from "./body.ts";
import type { HttpReply } from "./reply.ts";
import { isNoneLeft } from "./waits.ts";

/** The longest wait after which a call may be repeated. */
export const MAX_RETRY_WAIT_MS = 86_400_000;

type Condition = (reply: HttpReply) => boolean;

const hasCode = (...codes: readonly string[]) => {
  return ({ codes: found }: HttpReply): boolean => codes.some((code) => found.has(code));
};

/** Codes of a limit that resets soon, in normalized spelling. */
const RATE_LIMIT_CODES = [
  "rate_limit",
  "rate_limited",
  "rate_limit_exceeded",
  "ratelimitexceeded",
  "userratelimitexceeded",
  "too_many_requests",
  "throttled",
  "20429",
] as const;
/** Codes of a limit that does not reset soon. */
const QUOTA_CODES = ["insufficient_quota", "quotaexceeded", "dailylimitexceeded", "abnormal_usage_detected"] as const;

/** Every condition that a row of the table can require. */
export const CONDITIONS = {
  own: ({ context }) => context.credential === "own",
  failedBody: (reply) => reply.form === "json" && isFailedBody(reply),
  truncated: ({ context }) => context.truncated === true,
  notJson: isNotJson,
  rate: hasCode(...RATE_LIMIT_CODES),
  quota: (reply) =>
    hasCode(...QUOTA_CODES)(reply) ||
    (googleDetail(reply.body, "QuotaFailure") !== undefined && reply.wait === undefined) ||
    (reply.wait?.ms ?? 0) > MAX_RETRY_WAIT_MS,
  abnormal: hasCode("abnormal_usage_detected"),
  reduced: hasCode("temporary_reduced_capacity", "overloaded_error"),
  card: hasCode("card_error", "card_declined"),
  noneLeft: isNoneLeft,
  waits: ({ wait }) => wait?.explicit === true,
  secondary: isSecondaryLimit,
  oauth: hasCode("invalid_grant", "invalid_client"),
  scope: (reply) =>
    hasCode("insufficient_scope", "missing_scope")(reply) ||
    /\berror="?insufficient_scope\b/.test(reply.list("www-authenticate")?.slice(0, 4_096) ?? ""),
  lock: hasCode("lock_timeout"),
  keyInUse: (reply) =>
    hasCode("idempotency_key_in_use")(reply) ||
    hasTitle(reply.body, "A request is outstanding for this Idempotency-Key"),
  keyReused: (reply) =>
    hasCode("idempotency_error", "idempotency_key_reused")(reply) ||
    hasTitle(reply.body, "Idempotency-Key is already used"),
  keyMissing: (reply) => hasTitle(reply.body, "Idempotency-Key is missing"),
  precondition: ({ google }) => google === "FAILED_PRECONDITION",
  range: ({ google }) => google === "OUT_OF_RANGE",
  aborted: ({ google }) => google === "ABORTED",
  cancelled: ({ google }) => google === "CANCELLED",
  fields: ({ issues }) => issues.length > 0,
  noPathParams: ({ context }) => context.hasPathParams === false,
  unprocessed: ({ context }) => context.unprocessed503 === true,
} as const satisfies Record<string, Condition>;

/** The name of a condition in the table. */
export type ConditionName = keyof typeof CONDITIONS;

/** Checks whether all of the conditions hold. */
export function allHold(names: readonly ConditionName[], reply: HttpReply): boolean {
  return names.every((name) => (CONDITIONS[name] as Condition)(reply));
}

function isFailedBody(reply: HttpReply): boolean {
  return reportsFailure(reply.body) || /^application\/problem\+json/i.test(reply.header("content-type") ?? "");
}

function isNotJson({ context, form, status }: HttpReply): boolean {
  const mayBeEmpty = status === 202 || status === 204 || status === 205 || context.httpMethod?.toUpperCase() === "HEAD";
  return context.expects === "json" && form !== "json" && !(mayBeEmpty && form === "empty");
}

/** The one limit that only the text mentions. */
function isSecondaryLimit({ body }: HttpReply): boolean {
  return /secondary rate/i.test(bodySentence(body)?.slice(0, 1_024) ?? "");
}
