import { integerAt, memberAt, objectAt, stringAt } from "../../json/read.ts";
import { carriedMeta } from "../carried-members.ts";
import { type ExtensibleCodes, withoutMembers } from "../codes.ts";
import type { EncodeContext } from "../dialect.ts";
import { splitReply } from "../envelope.ts";
import { errorObjectOf } from "../error-object.ts";
import { isOnxError } from "./decode.ts";
import type { OnxWire } from "./encode.ts";
import { KIND_KEY, WAIT_NAME } from "./names.ts";
import { onxRouteFor } from "./route.ts";
import { ONX_RANGES, ONX_ROWS, ONX_RPC, type OnxRow } from "./table.ts";

/** The member of `details` that names the error of the backend. All other fields of your own stand in its `context`. */
const IDENTIFIER = "originalError";

/** The number is in the error object of a tool result. JSON-RPC errors keep the codes of JSON-RPC. */
export const onxCodes: ExtensibleCodes<OnxWire, EncodeContext> = {
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
    const inResult = errorObjectOf(result, isOnxError)?.error;
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
