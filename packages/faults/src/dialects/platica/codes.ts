import { FAULT_KEY } from "../../json/names.ts";
import { arrayAt, integerAt, isObject, memberAt, objectAt, parseJson } from "../../json/read.ts";
import { carriedMeta } from "../carried-members.ts";
import { type ExtensibleCodes, withoutMembers } from "../codes.ts";
import { firstText, splitReply } from "../envelope.ts";
import { platicaRowFor } from "./choose-row.ts";
import { isArgumentFault, type PlaticaContext, type PlaticaWire } from "./encode.ts";
import { PLATICA_RPC, PLATICA_STATUSES, type PlaticaRow } from "./table.ts";

const rows = (): readonly PlaticaRow[] => [
  ...Object.values<PlaticaRow>(PLATICA_STATUSES),
  ...Object.values<PlaticaRow>(PLATICA_RPC),
];

/**
 * The number is the status in the body, and fields of your own are members of the body. A relayed body and a list of wrong
 * arguments stay as they are.
 */
export const platicaCodes: ExtensibleCodes<PlaticaWire, PlaticaContext> = {
  codeOf(fault, context = {}) {
    const hasNone = context.raw !== undefined || isArgumentFault(fault, context);
    return hasNone ? undefined : platicaRowFor(fault, context).code;
  },
  published: () => Object.fromEntries(rows().map((row) => [row.code, row.reason.id])),
  ranges: [[400, 599]],
  get reserved() {
    const own = "code error errors details issues retryable effect basis incident message data";
    const around = "result jsonrpc status headers body isError content structuredContent _meta";
    return `${own} ${around}`.split(" ");
  },
  find(wire) {
    const { result, status, headers, body } = splitReply(wire);
    const isResult = result?.["isError"] === true;
    const parsed = isResult ? parseJson(firstText(result)) : body;
    const found = { ...(isObject(parsed) && parsed), ...(isResult && objectAt(result, "structuredContent")) };
    const code = integerAt(found, "code");
    // A relayed body is the service's; the fault beside it counts.
    if (memberAt(result?.["_meta"], FAULT_KEY) !== undefined) return undefined;
    if (code === undefined || arrayAt(found, "issues").length > 0) return undefined;
    return {
      code,
      fields: found,
      restore(to, fields) {
        const restored = { ...withoutMembers(found, fields), code: to };
        if (isResult) return { result: { isError: true, structuredContent: restored, _meta: result["_meta"] } };
        return status === undefined ? restored : { status, headers, body: restored };
      },
    };
  },
  replace(wire, { code, fields, effect }) {
    if (!("result" in wire)) return wire;
    const structuredContent = { ...wire.result.structuredContent, code, ...fields };
    return {
      result: {
        ...wire.result,
        content: [{ type: "text", text: JSON.stringify(structuredContent) }],
        structuredContent,
        ...(effect && { _meta: { ...wire.result._meta, ...carriedMeta({ effect }) } }),
      },
    };
  },
};
