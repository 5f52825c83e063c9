import type { ExtensibleDialect } from "../codes.ts";
import { createDecoder } from "../decoder.ts";
import { platicaCodes } from "./codes.ts";
import { decodePlatica } from "./decode.ts";
import { encodePlatica, type PlaticaContext, type PlaticaWire } from "./encode.ts";
import { platicaAfterRoundTrip } from "./round-trip.ts";

/**
 * Platica: the answer of a REST API as a failed tool result, and JSON-RPC errors for requests that cannot be served.
 *
 * The reason of the status or code, whether to retry, the pointer, rule and expectation of every issue, effect and
 * basis survive a round trip; the message becomes a quote; waits, suggestions, params, limits, origin, attempts, cause,
 * ids and time are lost. With `raw`, the body of the REST answer is passed on untouched, and the fault itself stands beside it.
 *
 * @example
 * import { rest } from "@recourse/faults";
 * import { platica } from "@recourse/faults/dialects";
 *
 * const { fault } = rest.wrong_state();
 * const wire = platica.encode(fault);
 * // { result: { isError: true, content: […], structuredContent: { code: 422, error: "…" } } }
 * platica.decode(wire)?.kind; // "precondition_failed"
 */
export const platica: ExtensibleDialect<PlaticaWire, PlaticaContext> = {
  name: "platica",
  encode: encodePlatica,
  decode: createDecoder(decodePlatica),
  afterRoundTrip: platicaAfterRoundTrip,
  codes: platicaCodes,
};
