import { amendFault } from "../../fault/amend.ts";
import type { Fault, RetryAdvice } from "../../fault/fault.ts";
import { classOf, type FaultClass, knownKind } from "../../fault/kinds.ts";
import * as auth from "../../reasons/library/auth.ts";
import * as core from "../../reasons/library/core.ts";
import { unreachable } from "../../reasons/library/tool.ts";
import { NAMESPACE } from "../../wire/names.ts";
import type { ClientContract, DialectCodes, TableReason } from "../dialect.ts";
import { wireSentence } from "../sentence.ts";

/** The key of the retry hint in `_meta`. */
export const RETRY_HINT_KEY: string = `${NAMESPACE}/retry_hint`;

/** The wait of a client that gets no hint, for each attempt made. */
export const QAQNUZ_WAIT_MS = 1_000;

/** The reason of a class, and whether the class may carry a retry hint. */
export interface QaqnuzRow {
  readonly reason: TableReason;
  readonly hint: boolean;
}

/** The five classes of qaqnuz, which are also the classes of a fault. Its clients decide by nothing else. */
export const QAQNUZ_CLASSES = {
  validation: { reason: core.validation_failed, hint: false },
  permission: { reason: auth.access_denied, hint: false },
  retryable: { reason: core.overloaded, hint: true },
  dependency: { reason: core.upstream_failed, hint: true },
  terminal: { reason: core.precondition_failed, hint: false },
} as const satisfies Record<FaultClass, QaqnuzRow>;

/** Phrases that the contract fixes, because clients search the sentence for them. */
const FIXED_PHRASES = {
  /** Anywhere in the sentence, in any case. */
  rateLimit: { pattern: /rate limit/i, reason: core.rate_limited },
  /** The complete sentence for every refused credential. */
  unauthorized: { pattern: /^unauthorized\.?$/i, sentence: "Unauthorized", reason: auth.unauthorized },
} as const;

/** Reasons that get the same answer, so that a caller cannot find out whether a tool exists. */
const HIDDEN_TOOLS: readonly string[] = ["tool/not_found", unreachable.id];

/**
 * The reason of a class and a sentence. Only a fixed phrase in the sentence counts, and only if the class agrees.
 * Without a class and without a phrase the reply is not understood.
 */
export function qaqnuzReason(group: FaultClass | undefined, sentence: string | undefined): TableReason {
  const { rateLimit, unauthorized: refused } = FIXED_PHRASES;
  const contains = (phrase: RegExp): boolean => sentence !== undefined && phrase.test(sentence);
  if ((group === undefined || group === "retryable") && contains(rateLimit.pattern)) return rateLimit.reason;
  if ((group === undefined || group === "permission") && contains(refused.pattern)) return refused.reason;
  return group === undefined ? core.unrecognised : QAQNUZ_CLASSES[group].reason;
}

/** The class that a fault is written with: its own, or `permission` for a tool that cannot be reached. */
export function qaqnuzClassFor(fault: Fault): FaultClass {
  return HIDDEN_TOOLS.includes(fault.reason) ? "permission" : classOf(fault);
}

/** The sentence that a fault is written with: without ids, and the same for every refused credential or hidden tool. */
export function sanitizedSentence(fault: Fault): string {
  const kind = knownKind(fault);
  if (kind === "unauthenticated") return FIXED_PHRASES.unauthorized.sentence;
  if (HIDDEN_TOOLS.includes(fault.reason)) return unreachable.text;
  const sentence = wireSentence(withoutApprovalId(fault));
  const isMissing = kind === "rate_limited" && !FIXED_PHRASES.rateLimit.pattern.test(sentence);
  return isMissing ? `Rate limit: ${sentence}` : sentence;
}

const APPROVAL_REASONS: readonly TableReason[] = [auth.approval_required, auth.approval_denied, auth.approval_expired];

/** The fault without the id of its approval, which only the operator needs. */
function withoutApprovalId(fault: Fault): Fault {
  const reason = APPROVAL_REASONS.find(({ id }) => id === fault.reason);
  if (reason === undefined || fault.params?.["approval"] === undefined) return fault;
  const { approval: _approval, ...params } = fault.params;
  const { message } = reason.fault(params);
  return amendFault(fault, { message, params });
}

/** The retry advice of a fault. A wait that only its first move names is part of it, unless every client waits so long. */
export function qaqnuzAdvice({ retry, recourse: [{ afterMs }] }: Fault): RetryAdvice | undefined {
  const isKnown = retry?.afterMs !== undefined || retry?.allowed === false;
  if (isKnown || afterMs === undefined || afterMs === QAQNUZ_WAIT_MS) return retry;
  return { allowed: true, ...retry, afterMs };
}

/** What a client does without a hint: it makes three attempts, and a fifth of the wait is random. */
const HINT_DEFAULTS = { afterMs: QAQNUZ_WAIT_MS, maxAttempts: 2, backoff: "fixed", jitter: 0.2 } as const;

/**
 * The advice with everything that a hint says, as the document shows it. A bare permission is no hint, because the class says
 * it already; advice against repeating becomes no attempts.
 */
export function wholeAdvice(advice: RetryAdvice | undefined): Required<RetryAdvice> | undefined {
  if (advice === undefined) return undefined;
  const { allowed, ...stated } = advice;
  if (allowed && Object.keys(stated).length === 0) return undefined;
  const isAllowed = allowed && stated.maxAttempts !== 0;
  return { ...HINT_DEFAULTS, ...stated, allowed: isAllowed, ...(!isAllowed && { maxAttempts: 0 }) };
}

/** The fault without the id of its incident if it hides a tool: only a tool that exists can have an incident. */
export function withoutHiddenIncident(fault: Fault): Fault {
  if (!HIDDEN_TOOLS.includes(fault.reason)) return fault;
  const { incident: _incident, ...rest } = fault;
  return rest;
}

/** qaqnuz has five classes and no codes: its clients decide by nothing else, so there is nothing to add. */
export const qaqnuzCodes: DialectCodes = {
  codeOf: qaqnuzClassFor,
  published: () => Object.fromEntries(Object.entries(QAQNUZ_CLASSES).map(([name, { reason }]) => [name, reason.id])),
};

/** How qaqnuz clients repeat a call and what they throw in the end. */
export const QAQNUZ_CONTRACT: ClientContract = {
  // The jitter of a hint is a fraction of its wait and of nothing else.
  policy: { stepMs: QAQNUZ_WAIT_MS, baseMs: 0, overloadBaseMs: 0, maxBackoffMs: 60_000 },
  describe: (tool, fault) => `call_tool ${tool} failed: ${sanitizedSentence(fault)}`,
};
