import type { Fault, RetryWord } from "../../fault/fault.ts";
import { keptCertainty } from "../certainty.ts";
import { quoteOf } from "../prose.ts";
import { waitOf } from "./decode.ts";
import { reasonFor } from "./reason.ts";
import { classFor, sentenceFor } from "./sentence.ts";
import { CLASS_ROWS } from "./table.ts";

/**
 * Survives: the class, the hint of a class that may have one, effect and guess. Becomes a quotation: the sentence.
 * Merges: the kinds of a class, but for the rate limit and refused credentials, which the sentence itself tells.
 * Lost: params, issues, limits, origin, tried, cause, ids, time, trace, docs.
 */
export function keeps(fault: Fault): Fault {
  const group = classFor(fault);
  const sentence = sentenceFor(fault);
  const reason = reasonFor(group, sentence);
  const retry = CLASS_ROWS[group].hint ? keptRetry(fault.retry) : undefined;
  const rest = { ...keptCertainty(fault, reason), ...quoteOf(sentence), ...(retry && { retry }), ...waitOf(reason) };
  return reason.fault({}, rest);
}

/** A bare permission says no more than the class; a prohibition becomes a limit of no attempts. */
function keptRetry(retry: RetryWord | undefined): RetryWord | undefined {
  if (retry === undefined) return undefined;
  const { allowed, ...numbers } = retry;
  if (!allowed || numbers.maxAttempts === 0) return { ...numbers, allowed: false, maxAttempts: 0 };
  return Object.keys(numbers).length === 0 ? undefined : retry;
}
