import type { Fault } from "../../fault/fault.ts";
import { stamp } from "../../fault/stamp.ts";
import { keptCertainty } from "../certainty.ts";
import type { EncodeContext } from "../dialect.ts";
import { proseOf, quoteOf } from "../prose.ts";
import { DEFAULT_WAIT_MS } from "./decode.ts";
import { rowFor, secondsOf, timeOf } from "./encode.ts";

/**
 * Survives: the code's reason, whether and when to repeat (in whole seconds), the issues, the time, effect and guess.
 * Merges: kinds that share a code. Becomes a quotation: the sentence. Lost: params, limits, origin, tried, cause, ids.
 */
export function keeps(fault: Fault, context: EncodeContext = {}): Fault {
  const { row, retryable } = rowFor(fault);
  const seconds = secondsOf(fault);
  const at = fault.at ?? context.at;
  const kept = row.reason.fault(
    {},
    {
      ...keptCertainty(fault, row.reason),
      ...quoteOf(proseOf(fault)),
      retry: { allowed: retryable, ...(seconds !== undefined && { afterMs: seconds * 1_000 }) },
      ...(retryable && { afterMs: DEFAULT_WAIT_MS }),
      ...(fault.issues !== undefined && { issues: fault.issues }),
    },
  );
  return stamp(kept, { at: at === undefined ? undefined : timeOf(at) });
}
