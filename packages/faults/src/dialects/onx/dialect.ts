import { integerAt, memberAt, objectAt, stringAt } from "@recourse/wire";
import type { Fault, Issue, RetryAdvice } from "../../fault/fault.ts";
import { failed } from "../../reasons/library/adapter.ts";
import { createDecoder } from "../define.ts";
import {
  type EncodeContext,
  type ExtensibleCodes,
  type ExtensibleDialect,
  type TableReason,
  withoutMembers,
} from "../dialect.ts";
import { findErrorObject, splitReply } from "../envelope.ts";
import { applyLosses, carriedMeta, defaultEffect, type Losses } from "../losses.ts";
import { wireSentence } from "../sentence.ts";
import { decodeOnx, isOnxError } from "./decode.ts";
import { encodeOnx, findOriginalError, type OnxRoute, type OnxWire, onxRouteFor, onxWait } from "./encode.ts";
import { fromDottedPath } from "./paths.ts";
import { KIND_KEY, ONX_RANGES, ONX_ROWS, ONX_RPC, type OnxRow, type OnxRpcCode, WAIT_NAME } from "./table.ts";

/** The member of `details` that names the error of the backend. All other fields of your own stand in its `context`. */
const IDENTIFIER = "originalError";

/** The number is in the error object of a tool result. JSON-RPC errors keep the codes of JSON-RPC. */
const onxCodes: ExtensibleCodes<OnxWire, EncodeContext> = {
  codeOf(fault, context = {}) {
    const route = onxRouteFor(fault, context);
    return typeof route === "number" ? route : route.code;
  },
  published: () => ({
    ...Object.fromEntries(Object.entries(ONX_RPC).map(([code, reason]) => [code, reason.id])),
    ...Object.fromEntries(Object.values<OnxRow>(ONX_ROWS).map((row) => [row.code, row.reason.id])),
  }),
  get ranges() {
    return ONX_RANGES.map(({ from }) => [from, from + 999] as const);
  },
  reserved: ["field", "reason", "suggestion", "context", WAIT_NAME],
  texts: [IDENTIFIER],
  find(wire) {
    const { result, body } = splitReply(wire);
    const inResult = findErrorObject(result, isOnxError)?.error;
    const error = inResult ?? objectAt(body, "error") ?? result;
    const code = integerAt(error, "code");
    if (code === undefined) return undefined;
    const details = objectAt(error, "details");
    const context = objectAt(details, "context");
    const originalError = stringAt(details, IDENTIFIER);
    return {
      code,
      fields: { ...context, ...(originalError !== undefined && { originalError }) },
      restore(to, fields) {
        // Beside the kind onX wrote its general code.
        const isGeneral = memberAt(objectAt(result, "_meta"), KIND_KEY) !== undefined;
        const restored = {
          ...error,
          code: isGeneral ? ONX_ROWS.adapter.code : to,
          details: { ...withoutMembers(details, fields), context: withoutMembers(context, fields) },
        };
        return inResult === undefined
          ? { jsonrpc: "2.0", error: restored }
          : { result: { ...result, error: restored } };
      },
    };
  },
  replace(wire, { code, fields, effect }) {
    if (!("result" in wire)) return wire;
    const { error, structuredContent, _meta } = wire.result;
    const { [IDENTIFIER]: originalError, ...context } = fields;
    const details = {
      ...error.details,
      ...(Object.keys(context).length > 0 && { context: { ...error.details?.context, ...context } }),
      ...(typeof originalError === "string" && { originalError }),
    };
    const own = { ...error, code, ...(Object.keys(details).length > 0 && { details }) };
    return {
      result: {
        ...wire.result,
        ...(structuredContent && { structuredContent: { error: own } }),
        error: own,
        ...(effect && { _meta: { ..._meta, ...carriedMeta({ effect }) } }),
      },
    };
  },
};

/** A JSON-RPC error keeps its code, its message as a quote, and the place of the first issue. */
const ONX_RPC_LOSSES: Losses<{ readonly reason: TableReason }> = {
  row: (fault, context) => ({ reason: ONX_RPC[onxRouteFor(fault, context) as OnxRpcCode] }),
  quote: wireSentence,
  narrowed: {
    issues({ issues: [first] = [] }) {
      return first === undefined || first.pointer === "" ? [] : [{ pointer: first.pointer, rule: "custom" }];
    },
  },
};

/** Kinds that share a code become one, and the message becomes a quote. */
const ONX_LOSSES: Losses<OnxRoute & { readonly reason: TableReason }> = {
  row(fault, context) {
    const route = onxRouteFor(fault, context) as OnxRoute;
    return { ...route, reason: route.row.reason };
  },
  quote: wireSentence,
  params(fault) {
    const originalError = findOriginalError(fault);
    const params = Object.entries(fault.params ?? {}).filter(([, value]) => value !== null);
    return { ...Object.fromEntries(params), ...(originalError !== undefined && { originalError }) };
  },
  narrowed: {
    retry: onxRetryAfterRoundTrip,
    recourse: (fault) => fault.recourse,
    issues: (fault, { row }) => onxIssuesAfterRoundTrip(fault, row),
    cause(fault, route) {
      const originalError = findOriginalError(fault);
      if (originalError === undefined || route.reason === failed) return undefined;
      const retry = onxRetryAfterRoundTrip(fault, route);
      return failed(
        { originalError },
        { ...(retry && { retry }), effect: defaultEffect(route.reason), basis: "mapped" },
      );
    },
  },
};

function onxRetryAfterRoundTrip(fault: Fault, { isAdvice, retryable: allowed }: OnxRoute): RetryAdvice | undefined {
  const afterMs = allowed ? onxWait(fault) : undefined;
  return isAdvice ? { allowed, ...(afterMs !== undefined && { afterMs }) } : undefined;
}

/** Pointer and rule of the first issue. Without issues, the param `field` becomes one. */
function onxIssuesAfterRoundTrip(fault: Fault, row: OnxRow): readonly Issue[] {
  const [first] = fault.issues ?? [];
  if (first !== undefined) return [{ pointer: first.pointer, rule: first.rule }];
  const field = fault.params?.["field"];
  if (typeof field !== "string" || field === "") return [];
  return [{ pointer: fromDottedPath(field), rule: row.rule ?? "custom" }];
}

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
export const onx: ExtensibleDialect<OnxWire> = {
  name: "onx",
  encode: encodeOnx,
  decode: createDecoder(decodeOnx),
  afterRoundTrip(fault, context = {}) {
    const isRpc = typeof onxRouteFor(fault, context) === "number";
    return isRpc ? applyLosses(ONX_RPC_LOSSES, fault, context) : applyLosses(ONX_LOSSES, fault, context);
  },
  codes: onxCodes,
};
