import type { Details } from "../../fault/build.ts";
import type { Effect } from "../../fault/kinds.ts";
import { unavailable as backend_unavailable } from "../../reasons/library/adapter.ts";
import { insufficient_scope, not_authorized, unauthorized } from "../../reasons/library/auth.ts";
import { message_too_large } from "../../reasons/library/content.ts";
import * as core from "../../reasons/library/core.ts";
import { in_progress, key_reused } from "../../reasons/library/idempotency.ts";
import { bad_request } from "../../reasons/library/protocol.ts";
import * as rest from "../../reasons/library/rest.ts";
import { connection_lost } from "../../reasons/library/transport.ts";
import type { TableReason } from "../dialect.ts";
import type { ConditionName } from "./conditions.ts";

/** Statuses: single ones, and ranges. */
export type Statuses = readonly (number | readonly [from: number, to: number])[];

/** A status that another row of the table speaks for. */
export interface Reroute {
  readonly status: Statuses;
  readonly when: readonly ConditionName[];
  readonly as: number;
  /** Only the text tells. */
  readonly guess?: true;
}

/** Replies that mean another status than the one they have; the first that fits counts. */
export const REROUTES: readonly Reroute[] = [
  { status: [400], when: ["rate"], as: 429 },
  { status: [400], when: ["oauth"], as: 401 },
  { status: [403], when: ["rate"], as: 429 },
  { status: [403], when: ["quota"], as: 429 },
  { status: [403], when: ["noneLeft"], as: 429 },
  { status: [403], when: ["waits"], as: 429 },
  { status: [403], when: ["secondary"], as: 429, guess: true },
];

/** One row: which replies it speaks for, and what they mean. */
export interface Rule {
  readonly status: Statuses;
  /** All of these hold. */
  readonly when?: readonly ConditionName[];
  readonly reason: TableReason;
  /** Where it differs from the effect of the reason. */
  readonly effect?: Effect;
  readonly details?: Details;
  /** Whether a wait in the reply is taken over: `told` with a yes, `never` with a no; by the kind where unsaid. */
  readonly wait?: "told" | "never";
}

const SUCCESS: Statuses = [[200, 299]];
const LIMITED: Statuses = [429, 509, 529];
const KEYED: Statuses = [400, 409, 422];
const CREDENTIAL: Statuses = [401, 419, 440, 498];

/** The table: the first row that fits counts, and a success that fits none is no fault. */
export const RULES: readonly Rule[] = [
  { status: SUCCESS, when: ["failedBody"], reason: core.unrecognised },
  { status: SUCCESS, when: ["truncated"], reason: rest.response_too_large, effect: "applied" },
  { status: SUCCESS, when: ["notJson"], reason: rest.unexpected_content, effect: "applied" },
  { status: [304], reason: rest.unexpected_content },
  { status: [307, 308], reason: rest.unexpected_redirect, effect: "none" },
  { status: [[300, 399]], reason: rest.unexpected_redirect },
  { status: [409, 429], when: ["lock"], reason: core.busy },
  { status: LIMITED, when: ["quota", "own"], reason: rest.upstream_account },
  { status: LIMITED, when: ["abnormal"], reason: core.abnormal_usage, wait: "never" },
  { status: LIMITED, when: ["quota"], reason: core.quota_exhausted, wait: "never" },
  { status: [...LIMITED, 503], when: ["reduced"], reason: core.overloaded },
  { status: LIMITED, reason: core.rate_limited },
  { status: KEYED, when: ["keyInUse"], reason: in_progress, wait: "told" },
  { status: KEYED, when: ["keyReused"], reason: key_reused },
  { status: [400], when: ["keyMissing"], reason: rest.key_missing },
  { status: [400], when: ["precondition"], reason: rest.wrong_state },
  { status: [400], when: ["range"], reason: rest.out_of_range },
  { status: [400, 422], when: ["fields"], reason: rest.invalid_arguments },
  { status: [400], reason: rest.invalid_arguments },
  { status: CREDENTIAL, when: ["own"], reason: rest.upstream_auth },
  { status: CREDENTIAL, reason: unauthorized },
  // It is the customer's card that was refused, whoever's credential asked.
  { status: [402], when: ["card"], reason: rest.payment_required },
  { status: [402], when: ["own"], reason: rest.upstream_account },
  { status: [402], reason: rest.payment_required },
  { status: [403], when: ["own"], reason: rest.upstream_forbidden },
  { status: [403], when: ["scope"], reason: insufficient_scope },
  { status: [403], reason: not_authorized },
  { status: [404], when: ["noPathParams"], reason: rest.route_missing },
  { status: [404], reason: rest.not_found },
  { status: [405, 501], reason: core.unsupported },
  { status: [406, 415, 417, 426, 505, 510], reason: rest.protocol_mismatch },
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
  { status: [411, 783], reason: bad_request },
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

/** Whether a status is among those of a row. */
export function includes(statuses: Statuses, status: number): boolean {
  return statuses.some((one) => (typeof one === "number" ? one === status : status >= one[0] && status <= one[1]));
}
