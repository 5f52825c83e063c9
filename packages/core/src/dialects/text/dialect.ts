import type { Fault } from "../../fault/fault.ts";
import { access_denied, insufficient_scope, unauthorized } from "../../reasons/library/auth.ts";
import * as core from "../../reasons/library/core.ts";
import { failed as tool_failed } from "../../reasons/library/tool.ts";
import { createDecoder } from "../define.ts";
import type { DecodeContext, Decoder, TableReason } from "../dialect.ts";
import { firstText, splitReply } from "../envelope.ts";
import { calledTool, LOOK_BEFORE_REPEATING, peerQuote } from "../sentence.ts";

export const FAILURE_PHRASES: readonly (readonly [phrase: RegExp, reason: TableReason])[] = [
  [/\b(?:quota|credits?|plan limit) (?:is |was |has been )?(?:exceeded|exhausted|used up)\b/i, core.quota_exhausted],
  [/\brate.?limit|\btoo many requests\b|\b(?:http|status|code|error)\W{1,4}429\b/i, core.rate_limited],
  [/\binsufficient.scopes?\b|\bmissing.scopes?\b/i, insufficient_scope],
  [
    /\bunauthori[sz]ed\b|\bunauthenticated\b|\b(?:authentication|login) (?:is )?required\b|\bnot logged in\b|\b(?:invalid|expired|missing) (?:api.?key|token|credentials?)\b|\b(?:http|status|code|error)\W{1,4}401\b/i,
    unauthorized,
  ],
  [
    /\bforbidden\b|\b(?:permission|access) (?:was |is )?denied\b|\bnot (?:allowed|permitted|authori[sz]ed)\b|\b(?:http|status|code|error)\W{1,4}403\b/i,
    access_denied,
  ],
  [/\btimed? ?out\b|\btimeout\b|\bdeadline exceeded\b|\b(?:http|status|code|error)\W{1,4}504\b/i, core.timeout],
  [/\boverloaded\b|\btoo busy\b|\bserver is busy\b/i, core.overloaded],
  [
    /\b(?:temporarily |currently |service )unavailable\b|\bECONN[A-Z]{3,12}\b|\bENOTFOUND\b|\b(?:http|status|code|error)\W{1,4}503\b/i,
    core.unavailable,
  ],
  [/\balready exists\b|\bduplicate\b|\bconflict\b|\b(?:http|status|code|error)\W{1,4}409\b/i, core.conflict],
  [/\bnot (?:implemented|supported)\b|\bunsupported\b/i, core.unsupported],
  // Only what ended the call: tools also write of orders that were cancelled, or that cannot be.
  [
    /^(?:[^:\n]{0,60}(?:error|exception|failed)\b[^:\n]{0,60}: )?(?:cancell?ed|aborted)(?:\W{0,3}$|[.:;,!(]| (?:by|via) (?:the |a )?(?:user|client|caller|host|cancel scope)\b)/i,
    core.cancelled,
  ],
  [
    /(?:^|[^\w\s-] ?|\b(?:an?|api|client|command|current|function|http|query|the|this|tool|upstream|your) )(?:call|command|execution|fetch|invocation|job|operation|query|request|run|task|tool)(?: ["'“`][\w./:-]{1,64}["'”`])? (?:(?:was|has been|got) )?(?:cancell?ed|aborted)\b/i,
    core.cancelled,
  ],
  [/\b(?:fetch|operation|signal) is (?:cancell?ed|aborted)\b|\bcontext cancell?ed\b|^1 cancelled: /i, core.cancelled],
  [
    /\b(?:user|client|caller|host) (?:has )?(?:cancell?ed|aborted)(?:\W{0,3}$| (?:an?|the|this) (?:(?:tool )?call|confirmation|dialog|elicitation|login|operation|prompt|request|run|sign-in|task)\b)/i,
    core.cancelled,
  ],
  [
    /\bmissing (?:a )?(?:required )?(?:arguments?|parameters?|fields?|propert(?:y|ies))\b|\bis required\b/i,
    core.missing_field,
  ],
  [/\bnot found\b|\bdoes not exist\b|\bno such\b|\b(?:http|status|code|error)\W{1,4}404\b/i, core.not_found],
  [
    /\binvalid\b|\bvalidation\b|\bmalformed\b|\bmust be\b|\bshould be\b|\bexpected\b.{1,60}\b(?:but|found|got|received)\b/i,
    core.validation_failed,
  ],
];

/** Only the start of a text is searched, where a failure is usually named. */
const MAX_SEARCH_LENGTH = 600;

function decodeText(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const failed = failedText(wire);
  if (failed === undefined) return undefined;
  const guess = { ...guessDetails(failed, context), recourse: LOOK_BEFORE_REPEATING } as const;
  return guessFromPhrase(wire, context) ?? tool_failed.fault(calledTool(context), guess);
}

/** Guesses the reason of a failed tool whose text has a known phrase; undefined for any other. */
export function guessFromPhrase(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const failed = failedText(wire);
  const head = failed?.text?.slice(0, MAX_SEARCH_LENGTH) ?? "";
  const reason = FAILURE_PHRASES.find(([phrase]) => phrase.test(head))?.[1];
  return failed && reason?.fault({}, guessDetails(failed, context));
}

interface FailedText {
  readonly text: string | undefined;
}

/** The text of a failed tool; undefined for everything else. */
function failedText(wire: unknown): FailedText | undefined {
  const { result } = splitReply(wire);
  return result?.["isError"] === true ? { text: firstText(result) } : undefined;
}

/** A phrase proves nothing, so the fault must not claim that nothing happened or that repeating is safe. */
function guessDetails({ text }: FailedText, context: DecodeContext) {
  const afterMs = waitInText(text?.slice(0, MAX_SEARCH_LENGTH) ?? "");
  const wait = afterMs === undefined ? {} : { afterMs };
  return { ...context, ...peerQuote(text), ...wait, basis: "guessed", effect: "possible" } as const;
}

/**
 * The plain text of a failed tool, from any server. Phrases in the text suggest the reason.
 *
 * It only reads. The text becomes the quote; everything else is a guess, so effect is always `possible` and only a call that is
 * safe to make twice is repeated because of it, after the wait that the text names.
 *
 * @example
 * import { text } from "@recourse/faults/dialects";
 *
 * const fault = text.decode({ isError: true, content: [{ type: "text", text: "Error: too many requests" }] });
 * console.log(fault?.kind, fault?.basis); // "rate_limited" "guessed"
 */
export const text: Decoder = { name: "text", decode: createDecoder(decodeText) };

const WAIT_UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** A sentence: "Try again in 7 seconds", "Please wait 5 minutes before retrying". */
const WAIT_IN_SENTENCE =
  /\b(?:(?:re)?try(?:ing)?|wait|resets?|available)\b[^.:;\n\d]{0,40}?(\d{1,6}(?:\.\d{1,3})?) ?(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)\b/i;
/** A member or a header: `"retry_after": 30`, `Retry-After: 30`, `retryAfterMs=250`. Without a unit it counts seconds. */
const WAIT_IN_MEMBER =
  /\bretry[-_ ]?after(?:[-_ ]?(ms|s|seconds))?["']?\s?[:=]\s?["']?(\d{1,9}(?:\.\d{1,3})?)(?![\d-])/i;

/** The wait that a text asks for, in milliseconds; undefined if it names none. */
export function waitInText(text: string): number | undefined {
  const [, count, unit] = WAIT_IN_SENTENCE.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return Math.ceil(Number(count) * WAIT_UNITS_MS[wordToUnit(unit)]);
  const [, suffix, number] = WAIT_IN_MEMBER.exec(text) ?? [];
  if (number === undefined) return undefined;
  return Math.ceil(Number(number) * WAIT_UNITS_MS[wordToUnit(suffix ?? "s")]);
}

function wordToUnit(word: string): keyof typeof WAIT_UNITS_MS {
  const lower = word.toLowerCase();
  return lower.startsWith("mil") || lower === "ms" ? "ms" : (lower[0] as "s" | "m" | "h");
}
