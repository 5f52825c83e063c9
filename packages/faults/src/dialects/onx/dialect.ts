import { createDecoder } from "../define.ts";
import { addOwnCodes, type ExtensibleDialect, type OwnCode } from "../own-codes.ts";
import { decodeOnx } from "./decode.ts";
import { encodeOnx, type OnxWire, onxRouteFor } from "./encode.ts";
import { ONX_RANGES, ONX_ROWS, ONX_RPC, type OnxRow } from "./table.ts";

/**
 * onX: a positive code, `retryable` and `details` in an error object inside the tool result, and plain JSON-RPC errors
 * for requests that fail before a tool runs.
 *
 * An identifier of an adapter stands beside a standard code. 3001, 3002 and 4002 are written only if a retry is safe.
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
export const onx: ExtensibleDialect<OnxWire> = /* @__PURE__ */ createOnx([]);

function createOnx(own: readonly OwnCode[]): ExtensibleDialect<OnxWire> {
  const name = "onx";
  const published = () => ({
    ...Object.fromEntries(Object.entries(ONX_RPC).map(([code, reason]) => [code, reason.id])),
    ...Object.fromEntries([...Object.values<OnxRow>(ONX_ROWS), ...own].map(({ code, reason }) => [code, reason.id])),
  });
  return {
    name,
    encode: (fault, context = {}) => encodeOnx(fault, context, own),
    decode: createDecoder((wire, context) => decodeOnx(wire, context, own)),
    codes: {
      codeOf(fault, context = {}) {
        const route = onxRouteFor(fault, context, own);
        return typeof route === "number" ? route : route.code;
      },
      published,
    },
    with(added) {
      const ranges = ONX_RANGES.map(({ from }) => [from, from + 999] as const);
      return createOnx(addOwnCodes({ name, ranges, published: published(), own }, added));
    },
  };
}
