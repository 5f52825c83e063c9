import { createDecoder } from "../define.ts";
import { addOwnCodes, type ExtensibleDialect, type OwnCode } from "../own-codes.ts";
import { decodeClosient } from "./decode.ts";
import { type ClosientContext, type ClosientWire, encodeClosient } from "./encode.ts";
import { CLOSIENT_CODES, type ClosientCode, closientRowFor } from "./table.ts";

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
export const closient: ExtensibleDialect<ClosientWire, ClosientContext> = /* @__PURE__ */ createClosient([]);

function createClosient(own: readonly OwnCode[]): ExtensibleDialect<ClosientWire, ClosientContext> {
  const name = "closient";
  const listCodes = (): readonly OwnCode[] => [...Object.values<ClosientCode>(CLOSIENT_CODES), ...own];
  const published = () => Object.fromEntries(listCodes().map(({ code, reason }) => [code, reason.id]));
  return {
    name,
    encode: (fault, context = {}) => encodeClosient(fault, context, own),
    decode: createDecoder((wire, context) => decodeClosient(wire, context, own)),
    codes: { codeOf: (fault) => closientRowFor(fault, own).code, published },
    with: (added) =>
      createClosient(addOwnCodes({ name, ranges: [[-32399, -32000]], published: published(), own }, added)),
  };
}
