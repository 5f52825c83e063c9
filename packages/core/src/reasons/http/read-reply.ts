import { amendFault } from "../../fault/amend.ts";
import type { FaultDetails } from "../../fault/build.ts";
import { cleanQuoted } from "../../fault/clean.ts";
import { FAULT_LIMITS, type Fault, type Issue, type Origin, type RetryAdvice } from "../../fault/fault.ts";
import { EFFECTS, type Effect, isRetryable, type Kind } from "../../fault/kinds.ts";
import { pickFilterOptions } from "../../safety/show-line.ts";
import { integerAt } from "../../wire/json.ts";
import { defaultFault } from "../build-safely.ts";
import { refused, upstream_account, upstream_auth, upstream_forbidden } from "../library/rest.ts";
import type { TableReason } from "../types.ts";
import { bodySentence, GOOGLE_STATUSES, statusOfCodes } from "./body.ts";
import { limitsOfReply } from "./rate-limits.ts";
import { findRequestId, type OpenedReply } from "./reply.ts";
import {
  allHold,
  CONDITIONS,
  HTTP_RULES,
  type HttpRule,
  includesStatus,
  MAX_RETRY_WAIT_MS,
  STATUS_OVERRIDES,
} from "./table.ts";

/** The wait for a rate limit that only the text of a reply mentions. */
const SECONDARY_WAIT_MS = 60_000;

interface ReasonOverride {
  readonly reason: TableReason;
  readonly effect?: Effect | undefined;
  readonly origin?: Origin | undefined;
}

/** Returns a reason to use instead of the table's, or undefined. It gets the status and the kind from the table. */
export type ReasonOverrideFor = (status: number, kind: Kind) => ReasonOverride | undefined;

/** The fault that a reply means: the row of its status, its wait, its limits and the id of its request. */
export function readOpenedReply(reply: OpenedReply): Fault | undefined {
  return withRequestId(
    readByTable(reply, effectiveStatus(reply), () => undefined),
    reply,
  );
}

/** The fault with the id of the request. All refusals of credentials look alike, so those have none. */
export function withRequestId(fault: Fault | undefined, reply: OpenedReply): Fault | undefined {
  if (fault === undefined || fault.requestId !== undefined || fault.kind === "unauthenticated") return fault;
  const requestId = findRequestId(reply, reply.context.secrets);
  return requestId === undefined ? fault : amendFault(fault, { requestId });
}

export function readByTable(
  reply: OpenedReply,
  { status, guessed }: EffectiveStatus,
  overrideFor: ReasonOverrideFor,
): Fault | undefined {
  const { context } = reply;
  const rule = HTTP_RULES.find((one) => includesStatus(one.status, status) && allHold(one.when ?? [], reply));
  if (rule === undefined) return undefined;
  const override = overrideFor(reply.status, rule.reason.kind);
  if (override !== undefined) return overriddenFault(override, rule, reply);
  const params = rule.reason === refused ? { status: reply.status } : {};
  return rule.reason.fault(params, {
    ...pickFilterOptions(context),
    basis: guessed ? "guessed" : "mapped",
    ...httpDetails(rule, reply),
  });
}

/** The fault of an override. Only the wait and the limits are taken from the reply. */
function overriddenFault({ reason, effect, origin }: ReasonOverride, rule: HttpRule, reply: OpenedReply): Fault {
  const { retry, limits } = httpDetails(rule, reply);
  return reason.fault(
    { status: reply.status },
    {
      ...pickFilterOptions(reply.context),
      basis: "mapped",
      ...(origin !== undefined && { origin }),
      ...(effect !== undefined && { effect }),
      ...(retry !== undefined && { retry }),
      ...(limits !== undefined && { limits }),
    },
  );
}

/** The caller cannot act on a failure of the server's own credential, so it gets one of these reasons. */
export const OWN_CREDENTIAL_REASONS: Partial<Readonly<Record<Kind, TableReason>>> = {
  unauthenticated: upstream_auth,
  forbidden: upstream_forbidden,
  quota_exhausted: upstream_account,
};

interface EffectiveStatus {
  readonly status: number;
  readonly guessed: boolean;
}

export function effectiveStatus(reply: OpenedReply): EffectiveStatus {
  const status = statedStatus(reply);
  const override = STATUS_OVERRIDES.find((one) => includesStatus(one.status, status) && allHold(one.when, reply));
  return { status: override?.as ?? status, guessed: override?.guess === true };
}

function statedStatus(reply: OpenedReply): number {
  const { status, google, body } = reply;
  if (google !== undefined) return GOOGLE_STATUSES[google] ?? status;
  if (status < 200 || status > 299 || !CONDITIONS.failedBody(reply)) return status;
  const inner = integerAt(body, "status") ?? 0;
  return inner >= 400 && inner <= 599 ? inner : (statusOfCodes(reply.codes) ?? status);
}

const IDEMPOTENT_METHODS = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"];

function httpDetails(rule: HttpRule, reply: OpenedReply): FaultDetails {
  const { context, wait } = reply;
  const { kind } = rule.reason;
  const retry = httpRetry(rule, reply);
  const repeatable = context.keyed === true || IDEMPOTENT_METHODS.includes(context.httpMethod?.toUpperCase() ?? "");
  const isLimited = kind === "rate_limited" || kind === "quota_exhausted" || kind === "overloaded";
  const isSecondary = kind === "rate_limited" && wait === undefined && CONDITIONS.secondary(reply);
  const quote = httpQuote(rule, reply);
  const effect = statedEffect(reply) ?? rule.effect;
  return {
    ...rule.details,
    ...(effect !== undefined && { effect }),
    ...(repeatable && { repeatable }),
    ...(retry !== undefined && { retry }),
    ...(isSecondary && { afterMs: SECONDARY_WAIT_MS }),
    ...(kind === "invalid_input" && reply.issues.length > 0 && { issues: shownIssues(reply) }),
    ...(isLimited && { limits: limitsOfReply(reply) }),
    ...(quote !== undefined && { quote: { text: quote, from: "upstream" } }),
  };
}

/** The issues, with what the service says of each field if the context asks for its sentences. */
function shownIssues({ issues, context }: OpenedReply): readonly Issue[] {
  return issues.map(({ message: said, ...issue }) => {
    const message = context.text === "quote" ? cleanQuoted(said, FAULT_LIMITS.issueMessage, context) : undefined;
    return message === undefined ? issue : { ...issue, message };
  });
}

/** What the service says that the request has changed. Only a service that is known to use Recourse is believed. */
function statedEffect({ context, header }: OpenedReply): Effect | undefined {
  return context.speaksFaults === true ? EFFECTS.find((effect) => effect === header("recourse-effect")) : undefined;
}

/** The service's own advice: a header that states it, or a wait if the rule accepts one. */
function httpRetry(rule: HttpRule, reply: OpenedReply): RetryAdvice | undefined {
  if (isPrivateRule(rule)) return undefined;
  const stated = shouldRetry(reply);
  const afterMs = rule.retryAfterWait !== undefined || acceptsWait(rule) ? reply.wait?.ms : undefined;
  const isSoon = (afterMs ?? 0) <= MAX_RETRY_WAIT_MS && rule.retryAfterWait !== false;
  if (stated === undefined && afterMs === undefined) return undefined;
  return { ...rule.details?.retry, allowed: (stated ?? true) && isSoon, ...(afterMs !== undefined && { afterMs }) };
}

function acceptsWait({ reason }: HttpRule): boolean {
  return isRetryable(reason.kind) && defaultFault(reason).retry?.allowed !== false;
}

function shouldRetry(reply: OpenedReply): boolean | undefined {
  if (reply.status < 400) return undefined;
  const value = (reply.header("stripe-should-retry") ?? reply.header("x-should-retry"))?.trim().toLowerCase();
  return value === "true" ? true : value === "false" ? false : undefined;
}

/** A caller must not learn why a credential was refused, nor anything about the server's own credential. */
function isPrivateRule({ reason }: HttpRule): boolean {
  return reason.kind === "unauthenticated" || Object.values(OWN_CREDENTIAL_REASONS).includes(reason);
}

const CODE_NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;

/** The text to quote: a declared code, and the sentence if the context asks for it. */
function httpQuote(rule: HttpRule, reply: OpenedReply): string | undefined {
  if (isPrivateRule(rule)) return undefined;
  const { context, form, body, rawCodes } = reply;
  const code = rawCodes.find((one) => CODE_NAME.test(one) && context.declared?.includes(one) === true);
  if (context.text !== "quote") return code;
  const sentence = form === "text" ? String(body) : form === "json" ? bodySentence(body) : undefined;
  if (code === undefined || sentence === undefined) return sentence ?? code;
  return `${code}: ${sentence}`;
}
