import type { FaultDetails } from "../../fault/build.ts";
import type { Effect } from "../../fault/kinds.ts";
import { unavailable as backend_unavailable } from "../library/adapter.ts";
import { insufficient_scope, not_authorized, unauthorized } from "../library/auth.ts";
import { message_too_large } from "../library/content.ts";
import * as core from "../library/core.ts";
import { in_progress, key_reused } from "../library/idempotency.ts";
import * as rest from "../library/rest.ts";
import { connection_lost } from "../library/transport.ts";
import type { TableReason } from "../types.ts";
import { bodySentence, googleDetail, hasTitle, reportsFailure } from "./body.ts";
import { isNoneLeft } from "./rate-limits.ts";
import type { OpenedReply } from "./reply.ts";

/** HTTP statuses: single ones, and ranges with both ends included. */
export type StatusSet = readonly (number | readonly [from: number, to: number])[];

/** A reply that is read as if it had another status. */
interface StatusOverride {
  readonly status: StatusSet;
  /** All of these conditions have to hold. */
  readonly when: readonly ConditionName[];
  /** The status to use instead. */
  readonly as: number;
  /** The condition reads only the text, so the fault is a guess. */
  readonly guess?: true;
}

/** Replies whose status is misleading. The first match counts. */
export const STATUS_OVERRIDES: readonly StatusOverride[] = [
  { status: [400], when: ["rate"], as: 429 },
  { status: [400], when: ["oauth"], as: 401 },
  { status: [400], when: ["denied"], as: 403 },
  { status: [400], when: ["credential"], as: 401 },
  { status: [403], when: ["rate"], as: 429 },
  { status: [403], when: ["quota"], as: 429 },
  { status: [403], when: ["noneLeft"], as: 429 },
  { status: [403], when: ["waits"], as: 429 },
  { status: [403], when: ["secondary"], as: 429, guess: true },
];

/** One row of the table: the replies that it matches, and their reason. */
export interface HttpRule {
  readonly status: StatusSet;
  /** All of these conditions have to hold. @default none */
  readonly when?: readonly ConditionName[];
  readonly reason: TableReason;
  /** Overrides the effect of the reason. */
  readonly effect?: Effect;
  readonly details?: FaultDetails;
  /** Whether the call may be repeated after a wait that the reply names. @default the kind decides */
  readonly retryAfterWait?: boolean;
}

const SUCCESS_STATUSES: StatusSet = [[200, 299]];
const LIMIT_STATUSES: StatusSet = [429, 509, 529];
const IDEMPOTENCY_STATUSES: StatusSet = [400, 409, 422];
const HTTP_CREDENTIAL_STATUSES: StatusSet = [401, 419, 440, 498];

/** The reason of every reply, for decoding. The first matching row counts; a success without one is a success. */
export const HTTP_RULES: readonly HttpRule[] = [
  { status: SUCCESS_STATUSES, when: ["failedBody"], reason: core.unrecognised },
  { status: SUCCESS_STATUSES, when: ["truncated"], reason: rest.response_too_large, effect: "applied" },
  { status: SUCCESS_STATUSES, when: ["notJson"], reason: rest.unexpected_content, effect: "applied" },
  { status: [304], reason: rest.unexpected_content },
  { status: [307, 308], reason: rest.unexpected_redirect, effect: "none" },
  { status: [[300, 399]], reason: rest.unexpected_redirect },
  { status: [409, 429], when: ["lock"], reason: core.busy },
  { status: LIMIT_STATUSES, when: ["quota", "own"], reason: rest.upstream_account },
  { status: LIMIT_STATUSES, when: ["abnormal"], reason: core.abnormal_usage, retryAfterWait: false },
  { status: LIMIT_STATUSES, when: ["quota"], reason: core.quota_exhausted, retryAfterWait: false },
  { status: [...LIMIT_STATUSES, 503], when: ["reduced"], reason: core.overloaded },
  { status: LIMIT_STATUSES, reason: core.rate_limited },
  { status: IDEMPOTENCY_STATUSES, when: ["keyInUse"], reason: in_progress, retryAfterWait: true },
  { status: IDEMPOTENCY_STATUSES, when: ["keyReused"], reason: key_reused },
  { status: [400], when: ["keyMissing"], reason: rest.key_missing },
  { status: [400], when: ["precondition"], reason: rest.wrong_state },
  { status: [400], when: ["range"], reason: rest.out_of_range },
  { status: [400, 422], when: ["fields"], reason: rest.invalid_arguments },
  { status: [400], reason: rest.invalid_arguments },
  { status: HTTP_CREDENTIAL_STATUSES, when: ["own"], reason: rest.upstream_auth },
  { status: HTTP_CREDENTIAL_STATUSES, reason: unauthorized },
  // A card belongs to the customer, so this is not about the server's own account.
  { status: [402], when: ["card"], reason: rest.payment_required },
  { status: [402], when: ["own"], reason: rest.upstream_account },
  { status: [402], reason: rest.payment_required },
  { status: [403], when: ["own"], reason: rest.upstream_forbidden },
  { status: [403], when: ["scope"], reason: insufficient_scope },
  { status: [403], reason: not_authorized },
  { status: [404], when: ["noPathParams"], reason: rest.route_missing },
  { status: [404], reason: rest.not_found },
  { status: [405, 501], reason: core.unsupported },
  { status: [406, 411, 415, 417, 426, 505, 510, 783], reason: rest.protocol_mismatch },
  { status: [407, 511, 525, 526, 530], reason: core.misconfigured, effect: "none" },
  { status: [508], reason: core.misconfigured },
  { status: [408, 504, 524, 598, 599], reason: core.timeout },
  { status: [409, 423], when: ["waits"], reason: core.busy },
  {
    status: [409],
    when: ["aborted"],
    reason: core.conflict,
    details: { recourse: [{ do: "refresh" }, { do: "retry" }] },
  },
  { status: [409], reason: core.conflict },
  { status: [410], reason: rest.gone },
  { status: [412, 428], reason: rest.stale },
  { status: [413], when: ["waits"], reason: core.overloaded },
  { status: [413, 414, 431], reason: message_too_large },
  { status: [416], reason: rest.out_of_range },
  { status: [421, 425], reason: rest.not_taken, details: { retry: { allowed: true, maxAttempts: 1 } } },
  { status: [422], reason: rest.wrong_state },
  { status: [423], reason: rest.locked },
  { status: [424, 500, 502, 520], reason: rest.upstream_failed },
  { status: [430, 999], reason: rest.rejected },
  { status: [451], reason: rest.legal },
  { status: [499], when: ["cancelled"], reason: core.cancelled },
  { status: [444, 499], reason: connection_lost },
  { status: [503], when: ["unprocessed"], reason: backend_unavailable, effect: "none" },
  { status: [503, 507, 540], reason: backend_unavailable },
  { status: [521, 522, 523], reason: core.unavailable, effect: "none" },
  { status: [[400, 499]], reason: rest.refused },
  {
    status: [
      [Number.MIN_SAFE_INTEGER, 199],
      [500, Number.MAX_SAFE_INTEGER],
    ],
    reason: rest.upstream_failed,
  },
];

export function includesStatus(statuses: StatusSet, status: number): boolean {
  return statuses.some((one) => (typeof one === "number" ? one === status : status >= one[0] && status <= one[1]));
}

export const MAX_RETRY_WAIT_MS = 86_400_000;

type Condition = (reply: OpenedReply) => boolean;

const hasAnyCode = (...codes: readonly string[]) => {
  return ({ codes: found }: OpenedReply): boolean => codes.some((code) => found.has(code));
};

const RATE_LIMIT_CODES = /* @__PURE__ */ (
  "rate_limit rate_limited rate_limit_exceeded ratelimitexceeded userratelimitexceeded " +
  "too_many_requests throttled 20429"
).split(" ");
const QUOTA_CODES = ["insufficient_quota", "quotaexceeded", "dailylimitexceeded", "abnormal_usage_detected"] as const;

/** Codes of AWS, Google and others about the credential of a request, in normalized spelling. */
const CREDENTIAL_CODES = /^(?:expired|invalid)_?token|^api_?key_?invalid$|^invalid_?access_?key_?id|signature/;

export const CONDITIONS = {
  own: ({ context }) => context.credential === "own",
  failedBody: (reply) => reply.form === "json" && isFailedBody(reply),
  truncated: ({ context }) => context.truncated === true,
  notJson: isNotJson,
  rate: hasAnyCode(...RATE_LIMIT_CODES),
  quota: (reply) =>
    hasAnyCode(...QUOTA_CODES)(reply) ||
    (googleDetail(reply.body, "QuotaFailure") !== undefined && reply.wait === undefined) ||
    (reply.wait?.ms ?? 0) > MAX_RETRY_WAIT_MS,
  abnormal: hasAnyCode("abnormal_usage_detected"),
  reduced: hasAnyCode("temporary_reduced_capacity", "overloaded_error"),
  card: hasAnyCode("card_error", "card_declined"),
  noneLeft: isNoneLeft,
  waits: ({ wait }) => wait?.explicit === true,
  secondary: isSecondaryLimit,
  oauth: hasAnyCode("invalid_grant", "invalid_client"),
  denied: ({ codes }) => [...codes].some((code) => code.startsWith("accessdenied")),
  credential: ({ codes }) => [...codes].some((code) => CREDENTIAL_CODES.test(code)),
  scope: (reply) =>
    hasAnyCode("insufficient_scope", "missing_scope")(reply) ||
    /\berror="?insufficient_scope\b/.test(reply.list("www-authenticate")?.slice(0, 4_096) ?? ""),
  lock: hasAnyCode("lock_timeout"),
  keyInUse: (reply) =>
    hasAnyCode("idempotency_key_in_use")(reply) ||
    hasTitle(reply.body, "A request is outstanding for this Idempotency-Key"),
  keyReused: (reply) =>
    hasAnyCode("idempotency_error", "idempotency_key_reused")(reply) ||
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

export type ConditionName = keyof typeof CONDITIONS;

export function allHold(names: readonly ConditionName[], reply: OpenedReply): boolean {
  return names.every((name) => (CONDITIONS[name] as Condition)(reply));
}

function isFailedBody(reply: OpenedReply): boolean {
  return reportsFailure(reply.body) || /^application\/problem\+json/i.test(reply.header("content-type") ?? "");
}

function isNotJson({ context, form, status }: OpenedReply): boolean {
  const mayBeEmpty = status === 202 || status === 204 || status === 205 || context.httpMethod?.toUpperCase() === "HEAD";
  return context.expects === "json" && form !== "json" && !(mayBeEmpty && form === "empty");
}

/** The one limit that only the text mentions. */
function isSecondaryLimit({ body }: OpenedReply): boolean {
  return /secondary rate/i.test(bodySentence(body)?.slice(0, 1_024) ?? "");
}
