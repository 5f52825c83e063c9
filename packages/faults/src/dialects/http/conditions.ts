import { bodySentence, googleDetail, hasTitle, reportsFailure } from "./body.ts";
import type { HttpReply } from "./reply.ts";
import { isNoneLeft } from "./waits.ts";

/** The longest wait after which a call may be repeated. */
export const MAX_RETRY_WAIT_MS = 86_400_000;

interface Condition {
  /** Its name in the generated documentation. */
  readonly label: string;
  holds(reply: HttpReply): boolean;
}

const hasCode = (...codes: readonly string[]) => {
  return ({ codes: found }: HttpReply): boolean => codes.some((code) => found.has(code));
};
const codeList = (...codes: readonly string[]): string => codes.map((code) => `\`${code}\``).join(", ");

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
  own: { label: "own credential", holds: ({ context }) => context.credential === "own" },
  failedBody: { label: "the body reports a failure", holds: (reply) => reply.form === "json" && isFailedBody(reply) },
  truncated: { label: "the body is too long to read", holds: ({ context }) => context.truncated === true },
  notJson: { label: "JSON is expected and the body is not JSON", holds: isNotJson },
  rate: {
    label: `a code such as ${codeList("rate_limit")}`,
    holds: hasCode(...RATE_LIMIT_CODES),
  },
  quota: {
    label: "the quota is used up",
    holds: (reply) =>
      hasCode(...QUOTA_CODES)(reply) ||
      (googleDetail(reply.body, "QuotaFailure") !== undefined && reply.wait === undefined) ||
      (reply.wait?.ms ?? 0) > MAX_RETRY_WAIT_MS,
  },
  abnormal: { label: `problem ${codeList("abnormal-usage-detected")}`, holds: hasCode("abnormal_usage_detected") },
  reduced: {
    label: `a code such as ${codeList("temporary-reduced-capacity", "overloaded_error")}`,
    holds: hasCode("temporary_reduced_capacity", "overloaded_error"),
  },
  card: { label: `a code such as ${codeList("card_error")}`, holds: hasCode("card_error", "card_declined") },
  noneLeft: { label: "`X-RateLimit-Remaining: 0`", holds: isNoneLeft },
  waits: { label: "a wait is named", holds: ({ wait }) => wait?.explicit === true },
  secondary: { label: "the text says `secondary rate`", holds: isSecondaryLimit },
  oauth: {
    label: `OAuth ${codeList("invalid_grant", "invalid_client")}`,
    holds: hasCode("invalid_grant", "invalid_client"),
  },
  scope: {
    label: "`insufficient_scope`",
    holds: (reply) =>
      hasCode("insufficient_scope", "missing_scope")(reply) ||
      /\berror="?insufficient_scope\b/.test(reply.list("www-authenticate")?.slice(0, 4_096) ?? ""),
  },
  lock: { label: `code ${codeList("lock_timeout")}`, holds: hasCode("lock_timeout") },
  keyInUse: {
    label: "the key is in use",
    holds: (reply) =>
      hasCode("idempotency_key_in_use")(reply) ||
      hasTitle(reply.body, "A request is outstanding for this Idempotency-Key"),
  },
  keyReused: {
    label: "the key was used for another request",
    holds: (reply) =>
      hasCode("idempotency_error", "idempotency_key_reused")(reply) ||
      hasTitle(reply.body, "Idempotency-Key is already used"),
  },
  keyMissing: {
    label: "the key is missing",
    holds: (reply) => hasTitle(reply.body, "Idempotency-Key is missing"),
  },
  precondition: { label: codeList("FAILED_PRECONDITION"), holds: ({ google }) => google === "FAILED_PRECONDITION" },
  range: { label: codeList("OUT_OF_RANGE"), holds: ({ google }) => google === "OUT_OF_RANGE" },
  aborted: { label: codeList("ABORTED"), holds: ({ google }) => google === "ABORTED" },
  cancelled: { label: codeList("CANCELLED"), holds: ({ google }) => google === "CANCELLED" },
  fields: { label: "field errors", holds: ({ issues }) => issues.length > 0 },
  noPathParams: { label: "the URL has no identifier", holds: ({ context }) => context.hasPathParams === false },
  unprocessed: {
    label: "the service promises that it was not processed",
    holds: ({ context }) => context.unprocessed503 === true,
  },
} as const satisfies Record<string, Condition>;

/** The name of a condition in the table. */
export type ConditionName = keyof typeof CONDITIONS;

/** Checks whether all of the conditions hold. */
export function allHold(names: readonly ConditionName[], reply: HttpReply): boolean {
  return names.every((name) => (CONDITIONS[name] as Condition).holds(reply));
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
