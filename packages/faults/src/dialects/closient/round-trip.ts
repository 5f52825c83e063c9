import type { Fault } from "../../fault/fault.ts";
import { stampFault } from "../../fault/stamp.ts";
import { certaintyAfterRoundTrip } from "../certainty.ts";
import type { EncodeContext } from "../dialect.ts";
import { peerQuote, wireSentence } from "../sentence.ts";
import { CLOSIENT_DEFAULT_WAIT_MS } from "./decode.ts";
import { closientRowFor, closientTime, closientWait } from "./encode.ts";

/** The fault after a round trip. Kinds that share a code become one, and the message becomes a quote. */
export function closientAfterRoundTrip(fault: Fault, context: EncodeContext = {}): Fault {
  const { row, retryable } = closientRowFor(fault);
  const seconds = closientWait(fault);
  const at = fault.at ?? context.at;
  const left = row.reason.fault(
    {},
    {
      ...certaintyAfterRoundTrip(fault, row.reason),
      ...peerQuote(wireSentence(fault)),
      retry: { allowed: retryable, ...(seconds !== undefined && { afterMs: seconds * 1_000 }) },
      ...(retryable && { afterMs: CLOSIENT_DEFAULT_WAIT_MS }),
      ...(fault.issues !== undefined && { issues: fault.issues }),
    },
  );
  return stampFault(left, { at: at === undefined ? undefined : closientTime(at) });
}
