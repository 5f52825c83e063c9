import type { Fault, RetryAdvice } from "../../fault/fault.ts";
import { carriedAfterRoundTrip } from "../carried-members.ts";
import { peerQuote } from "../sentence.ts";
import { adviceOfClass } from "./decode.ts";
import {
  adviceOf,
  QAQNUZ_CLASSES,
  qaqnuzClassFor,
  qaqnuzReason,
  sanitizedSentence,
  withoutHiddenIncident,
} from "./table.ts";

/** The fault after a round trip. The kinds of a class become one, except those that a fixed phrase names. */
export function qaqnuzAfterRoundTrip(fault: Fault): Fault {
  const group = qaqnuzClassFor(fault);
  const sentence = sanitizedSentence(fault);
  const reason = qaqnuzReason(group, sentence);
  const retry = QAQNUZ_CLASSES[group].hint ? retryHintAfterRoundTrip(adviceOf(fault)) : undefined;
  return reason.fault(
    {},
    {
      ...carriedAfterRoundTrip(withoutHiddenIncident(fault)),
      ...peerQuote(sentence),
      ...(retry && { retry }),
      ...adviceOfClass(reason),
    },
  );
}

/** A bare permission is lost, because the class says it already; advice against repeating becomes no attempts. */
function retryHintAfterRoundTrip(retry: RetryAdvice | undefined): RetryAdvice | undefined {
  if (retry === undefined) return undefined;
  const { allowed, ...numbers } = retry;
  if (!allowed || numbers.maxAttempts === 0) return { ...numbers, allowed: false, maxAttempts: 0 };
  return Object.keys(numbers).length === 0 ? undefined : retry;
}
