import { isObject, stringAt } from "@recourse/wire";
import { FAULT_LIMITS, type Issue } from "../../fault/fault.ts";
import { toLine } from "../../safety/line.ts";
import { createDecoder } from "../define.ts";
import { type ExtensibleCodes, type ExtensibleDialect, withoutMembers } from "../dialect.ts";
import { asRpcError, findErrorObject, splitReply } from "../envelope.ts";
import { applyLosses, carriedMeta, type Losses } from "../losses.ts";
import { wireSentence } from "../sentence.ts";
import { CLOSIENT_DEFAULT_WAIT_MS, closientAdvice, decodeClosient, isRepetition } from "./decode.ts";
import { type ClosientContext, type ClosientWire, closientTime, closientWait, encodeClosient } from "./encode.ts";
import { CLOSIENT_CODES, type ClosientCode, type ClosientRow, closientRowFor, closientTitle } from "./table.ts";

const listClosientRows = (): readonly (readonly [name: string, row: ClosientCode])[] =>
  Object.entries<ClosientCode>(CLOSIENT_CODES);

/** The number is in the error object, its name in the problem document, and fields of your own beside the name. */
const closientCodes: ExtensibleCodes<ClosientWire, ClosientContext> = {
  codeOf: (fault) => closientRowFor(fault).code,
  published: () => Object.fromEntries(listClosientRows().map(([, { code, reason }]) => [code, reason.id])),
  ranges: [[-32399, -32000]],
  get reserved() {
    const own =
      "type title status detail instance error_code retryable retry_after timestamp errors effect basis incident";
    const around = "code message data error result jsonrpc headers body isError content structuredContent _meta";
    return `${own} ${around}`.split(" ");
  },
  get names() {
    return Object.fromEntries(listClosientRows().map(([name, { code }]) => [code, name]));
  },
  find(wire) {
    const parts = splitReply(wire);
    const inside = findErrorObject(parts.result, (one) => stringAt(one["data"], "error_code") !== undefined);
    const error = asRpcError(inside?.error) ?? parts.error;
    const problem = error === undefined ? parts.body : error.data;
    if (!isObject(problem)) return undefined;
    return {
      code: error?.code,
      name: stringAt(problem, "error_code"),
      fields: problem,
      restore(code, fields) {
        const name = listClosientRows().find(([, row]) => row.code === code)?.[0];
        const data = { ...withoutMembers(problem, fields), error_code: name };
        if (error === undefined) return data;
        const restored = { code, message: error.message, data };
        return inside !== undefined
          ? { result: { ...parts.result, error: restored } }
          : { jsonrpc: "2.0", error: restored };
      },
    };
  },
  replace(wire, { code, name, title = closientTitle(name), status, fields, effect }) {
    const carried = effect && { effect };
    if ("body" in wire) {
      const own = status ?? wire.status;
      const body = {
        ...wire.body,
        type: renameProblemType(wire.body["type"], name),
        title,
        status: own,
        error_code: name,
      };
      return { ...wire, status: own, body: { ...body, ...fields, ...carried } };
    }
    const { error, structuredContent, _meta } = wire.result;
    const data = {
      ...error.data,
      type: renameProblemType(error.data["type"], name),
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
function renameProblemType(type: unknown, name: string): string {
  return String(type).replace(/[^/:]*$/, name);
}

/** One member says what is wrong with an argument, in the words of the author, of a service or of this library. */
function closientIssueRead({ code: _code, keys: _keys, message, ...issue }: Issue): Issue {
  return message === undefined ? issue : { ...issue, expected: toLine(message, FAULT_LIMITS.issueText) };
}

/** Kinds that share a code become one, the message becomes a quote, and a wait is given in whole seconds. */
const CLOSIENT_LOSSES: Losses<ClosientRow, ClosientContext> = {
  row: closientRowFor,
  quote: wireSentence,
  narrowed: {
    retry: (fault, { reason, retryable }) => closientAdvice(retryable, closientWait(fault), reason),
    afterMs: () => CLOSIENT_DEFAULT_WAIT_MS,
    issues: (fault) =>
      fault.issues?.map(closientIssueRead).filter((issue) => !isRepetition(issue, wireSentence(fault))),
  },
  at(fault, _row, context) {
    const at = fault.at ?? context.at;
    return at === undefined ? undefined : closientTime(at);
  },
};

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
  afterRoundTrip: (fault, context = {}) => applyLosses(CLOSIENT_LOSSES, fault, context),
  codes: closientCodes,
};
