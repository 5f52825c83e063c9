import { isObject } from "../../json/read.ts";
import { type ExtensibleCodes, withoutMembers } from "../codes.ts";
import type { EncodeContext } from "../dialect.ts";
import { splitReply } from "../envelope.ts";
import { ERROR_CATEGORIES } from "./categories.ts";
import { erlmcpRowFor } from "./choose-row.ts";
import type { ErlmcpWire } from "./encode.ts";
import { ERLMCP_ROWS } from "./table.ts";

/** The number is the code of the JSON-RPC error, and fields of your own are members of its `data`. */
export const erlmcpCodes: ExtensibleCodes<ErlmcpWire, EncodeContext> = {
  codeOf: (fault, context = {}) => erlmcpRowFor(fault, context).code,
  published: () => Object.fromEntries(ERLMCP_ROWS.map((row) => [row.code, row.reason.id])),
  get ranges() {
    return Object.values(ERROR_CATEGORIES).map(({ from, to }) => [from, to] as const);
  },
  get reserved() {
    const members = ERLMCP_ROWS.flatMap((row) => ("members" in row ? Object.keys(row.members) : []));
    return [...members, "details", "retry_after", "unit", "effect", "basis", "incident"];
  },
  find(wire) {
    const { error } = splitReply(wire);
    if (error === undefined) return undefined;
    const { code, message, data } = error;
    return {
      code,
      fields: data,
      restore: (to, fields) => ({
        error: { code: to, message, data: isObject(data) ? withoutMembers(data, fields) : data },
      }),
    };
  },
  replace({ error }, { code, fields, effect }) {
    const members = { ...fields, ...(effect && { effect }) };
    if (Object.keys(members).length === 0) return { error: { ...error, code } };
    const data = typeof error.data === "string" ? { details: error.data } : error.data;
    return { error: { ...error, code, data: { ...data, ...members } } };
  },
};
