import { createDecoder } from "../define.ts";
import type { Dialect, DialectCodes } from "../dialect.ts";
import { decodePlatica } from "./decode.ts";
import { encodePlatica, isArgumentFault, type PlaticaContext, type PlaticaWire } from "./encode.ts";
import { PLATICA_RPC, PLATICA_STATUSES, type PlaticaRow, platicaRowFor } from "./table.ts";

const listCodes = (): readonly PlaticaRow[] => [
  ...Object.values<PlaticaRow>(PLATICA_STATUSES),
  ...Object.values<PlaticaRow>(PLATICA_RPC),
];

/** The status in the body. A relayed body and a list of wrong arguments have none of ours. */
const platicaCodes: DialectCodes<PlaticaContext> = {
  codeOf(fault, context = {}) {
    const hasNone = context.raw !== undefined || isArgumentFault(fault, context);
    return hasNone ? undefined : platicaRowFor(fault, context).code;
  },
  published: () => Object.fromEntries(listCodes().map((row) => [row.code, row.reason.id])),
};

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
export const platica: Dialect<PlaticaWire, PlaticaContext> & { readonly codes: DialectCodes<PlaticaContext> } = {
  name: "platica",
  encode: encodePlatica,
  decode: createDecoder(decodePlatica),
  codes: platicaCodes,
};
