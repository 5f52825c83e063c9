import type { ExtensibleDialect } from "../codes.ts";
import { createDecoder } from "../decoder.ts";
import { closientCodes } from "./codes.ts";
import { decodeClosient } from "./decode.ts";
import { type ClosientContext, type ClosientWire, encodeClosient } from "./encode.ts";
import { closientAfterRoundTrip } from "./round-trip.ts";

/**
 * Closient: a JSON-RPC error object inside the tool result, whose `data` is an RFC 9457 problem document.
 *
 * The reason of the code, the retry advice in whole seconds, issues, time, incident, effect and basis survive a round trip;
 * the message becomes a quote; params, limits, origin, attempts, cause and trace are lost.
 *
 * @example
 * import { core } from "@recourse/faults";
 * import { closient } from "@recourse/faults/dialects";
 *
 * const { fault } = core.not_found({ what: "product 4006381333931" });
 * const wire = closient.encode(fault, { docsBase: "https://example.com/errors" });
 * closient.decode(wire)?.kind; // "not_found"
 */
export const closient: ExtensibleDialect<ClosientWire, ClosientContext> = {
  name: "closient",
  encode: encodeClosient,
  decode: createDecoder(decodeClosient),
  afterRoundTrip: closientAfterRoundTrip,
  codes: closientCodes,
};
