import { isObject, stringAt } from "../../json/read.ts";
import { carriedMeta } from "../carried-members.ts";
import { type ExtensibleCodes, withoutMembers } from "../codes.ts";
import { rpcErrorOf, splitReply } from "../envelope.ts";
import { errorObjectOf } from "../error-object.ts";
import type { ClosientContext, ClosientWire } from "./encode.ts";
import { closientRowFor } from "./rows.ts";
import { CLOSIENT_CODES, type ClosientCode } from "./table.ts";

const rows = (): readonly (readonly [name: string, row: ClosientCode])[] =>
  Object.entries<ClosientCode>(CLOSIENT_CODES);

/** The number is in the error object, its name in the problem document, and fields of your own beside the name. */
export const closientCodes: ExtensibleCodes<ClosientWire, ClosientContext> = {
  codeOf: (fault) => closientRowFor(fault).code,
  published: () => Object.fromEntries(rows().map(([, { code, reason }]) => [code, reason.id])),
  ranges: [[-32399, -32000]],
  get reserved() {
    const own =
      "type title status detail instance error_code retryable retry_after timestamp errors effect basis incident";
    const around = "code message data error result jsonrpc headers body isError content structuredContent _meta";
    return `${own} ${around}`.split(" ");
  },
  get names() {
    return Object.fromEntries(rows().map(([name, { code }]) => [code, name]));
  },
  find(wire) {
    const parts = splitReply(wire);
    const inside = errorObjectOf(parts.result, (one) => stringAt(one["data"], "error_code") !== undefined);
    const error = rpcErrorOf(inside?.error) ?? parts.error;
    const problem = error === undefined ? parts.body : error.data;
    if (!isObject(problem)) return undefined;
    return {
      code: error?.code,
      name: stringAt(problem, "error_code"),
      fields: problem,
      restore(code, fields) {
        const name = rows().find(([, row]) => row.code === code)?.[0];
        const data = { ...withoutMembers(problem, fields), error_code: name };
        if (error === undefined) return data;
        const restored = { code, message: error.message, data };
        return inside !== undefined
          ? { result: { ...parts.result, error: restored } }
          : { jsonrpc: "2.0", error: restored };
      },
    };
  },
  replace(wire, { code, name, title = titleOf(name), status, fields, effect }) {
    const carried = effect && { effect };
    if ("body" in wire) {
      const own = status ?? wire.status;
      const body = { ...wire.body, type: typeOf(wire.body["type"], name), title, status: own, error_code: name };
      return { ...wire, status: own, body: { ...body, ...fields, ...carried } };
    }
    const { error, structuredContent, _meta } = wire.result;
    const data = {
      ...error.data,
      type: typeOf(error.data["type"], name),
      title,
      ...(status !== undefined && { status }),
      error_code: name,
      ...fields,
    };
    const own = { code, message: title, data };
    return {
      result: {
        ...wire.result,
        ...(structuredContent && { structuredContent: { error: own } }),
        error: own,
        ...(carried && { _meta: { ..._meta, ...carriedMeta(carried) } }),
      },
    };
  },
};

/** The address of the page or the URN of another name. */
function typeOf(type: unknown, name: string): string {
  return String(type).replace(/[^/:]*$/, name);
}

/** `out_of_stock` as `Out Of Stock`, in the way of Closient's own titles. */
function titleOf(name: string): string {
  return name.replaceAll("_", " ").replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
