import type { ExtensibleDialect } from "../codes.ts";
import { createDecoder } from "../decoder.ts";
import { onxCodes } from "./codes.ts";
import { decodeOnx } from "./decode.ts";
import { encodeOnx, type OnxWire } from "./encode.ts";
import { onxAfterRoundTrip } from "./round-trip.ts";

/**
 * onX: a positive code, `retryable` and `details` in an error object inside the tool result, and plain JSON-RPC errors
 * for requests that fail before a tool runs.
 *
 * An identifier of an adapter stands beside a standard code. 3001, 3002 and 4002 are written only where a retry is safe.
 *
 * The reason of the code, the next moves, whether to retry and when, the pointer and rule of the first issue, params that the
 * code's reason has, the backend's identifier, effect, basis and incident survive a round trip; the message becomes a quote;
 * other issues, limits, origin, attempts, other causes and time are lost.
 *
 * @example
 * import { adapter } from "@recourse/faults";
 * import { onx } from "@recourse/faults/dialects";
 *
 * const { fault } = adapter.failed({ originalError: "OUT_OF_STOCK" });
 * const wire = onx.encode(fault); // { result: { …, isError: true, error: { code: 4001, … } } }
 * onx.decode(wire)?.params; // { originalError: "OUT_OF_STOCK" }
 */
export const onx: ExtensibleDialect<OnxWire> = {
  name: "onx",
  encode: encodeOnx,
  decode: createDecoder(decodeOnx),
  afterRoundTrip: onxAfterRoundTrip,
  codes: onxCodes,
};
