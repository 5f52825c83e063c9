import type { Fault } from "../../fault/fault.ts";
import { stampFault } from "../../fault/stamp.ts";
import { carriedAfterRoundTrip } from "../carried-members.ts";
import type { EncodeContext } from "../dialect.ts";
import { peerQuote, wireSentence } from "../sentence.ts";
import { CLOSIENT_DEFAULT_WAIT_MS, closientAdvice, isRepetition } from "./decode.ts";
import { closientTime, closientWait } from "./encode.ts";
import { closientRowFor } from "./rows.ts";

/** The fault after a round trip. Kinds that share a code become one, and the message becomes a quote. */
export function closientAfterRoundTrip(fault: Fault, context: EncodeContext = {}): Fault {
  const { reason, retryable } = closientRowFor(fault);
  const seconds = closientWait(fault);
  const at = fault.at ?? context.at;
  const sentence = wireSentence(fault);
  const issues = fault.issues
    ?.filter((issue) => !isRepetition(issue, sentence))
    .map(({ code: _code, keys: _keys, ...issue }) => issue);
  const left = reason.fault(
    {},
    {
      ...carriedAfterRoundTrip(fault),
      ...peerQuote(sentence),
      retry: closientAdvice(retryable, seconds, reason),
      afterMs: CLOSIENT_DEFAULT_WAIT_MS,
      ...(issues !== undefined && issues.length > 0 && { issues }),
    },
  );
  return stampFault(left, { at: at === undefined ? undefined : closientTime(at) });
}
