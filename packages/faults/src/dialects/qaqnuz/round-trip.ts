import type { Fault } from "../../fault/fault.ts";
import { carriedAfterRoundTrip } from "../carried-members.ts";
import { peerQuote } from "../sentence.ts";
import { adviceOfClass } from "./decode.ts";
import {
  adviceOf,
  QAQNUZ_CLASSES,
  qaqnuzClassFor,
  qaqnuzReason,
  sanitizedSentence,
  wholeAdvice,
  withoutHiddenIncident,
} from "./table.ts";

/** The fault after a round trip. The kinds of a class become one, except those that a fixed phrase names. */
export function qaqnuzAfterRoundTrip(fault: Fault): Fault {
  const group = qaqnuzClassFor(fault);
  const sentence = sanitizedSentence(fault);
  const reason = qaqnuzReason(group, sentence);
  const retry = QAQNUZ_CLASSES[group].hint ? wholeAdvice(adviceOf(fault)) : undefined;
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
