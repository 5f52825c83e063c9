import type { Fault, Issue, Recourse } from "../../fault/fault.ts";
import { failed } from "../../reasons/library/adapter.ts";
import { unrecognised } from "../../reasons/library/core.ts";
import { booleanAt, integerAt, type JsonObject, memberAt, numberAt, objectAt, stringAt } from "../../wire/json.ts";
import { defaultEffect, readCarriedMembers } from "../carried-members.ts";
import { createDecoder } from "../define.ts";
import type { DecodeContext, TableReason } from "../dialect.ts";
import { type ErrorObject, findErrorObject, type ReplyParts, splitReply } from "../envelope.ts";
import { addOwnCodes, type ExtensibleDialect, type OwnCode, withoutRepetition } from "../own-codes.ts";
import { stripCodePrefix } from "../rpc.ts";
import { joinSentences, peerQuote } from "../sentence.ts";
import { encodeOnx, fromDottedPath, isIssueRule, type OnxWire, onxRouteFor } from "./encode.ts";
import { KIND_KEY, NEXT_KEY, ONX_RANGES, ONX_ROWS, ONX_RPC, type OnxRow, type OnxRpcCode, WAIT_NAME } from "./table.ts";

/**
 * Recognises a positive code with a message and with `retryable` or `details`, and wrong parameters that name a field: no
 * other system puts these there.
 */
export function isOnxReply(parts: ReplyParts): boolean {
  const { error } = findOnxError(parts);
  const code = integerAt(error, "code") ?? 0;
  if (stringAt(error, "message") === undefined) return false;
  if (code === -32602) return stringAt(objectAt(error, "data"), "field") !== undefined;
  return code > 0 && (booleanAt(error, "retryable") !== undefined || objectAt(error, "details") !== undefined);
}

/** Reads onX's error object, alone, in a result or as a JSON-RPC error, and the JSON-RPC errors that it uses. */
export function decodeOnx(wire: unknown, context: DecodeContext = {}, own: readonly OwnCode[] = []): Fault | undefined {
  const parts = splitReply(wire);
  const { error, found } = findOnxError(parts);
  const code = integerAt(error, "code");
  if (error === undefined || code === undefined) return undefined;
  if (Object.hasOwn(ONX_RPC, code)) return fromOnxRpcError(ONX_RPC[code as OnxRpcCode], error, context);
  // Outside a result, only `retryable` tells a code of onX from the code of another system.
  if (found === undefined && booleanAt(error, "retryable") === undefined) return undefined;
  return fromOnxError(code, error, { meta: objectAt(parts.result, "_meta"), found, context, own });
}

/** Where an error object was found, and what is known about the reply. */
interface OnxPlace {
  readonly meta: JsonObject | undefined;
  readonly found: ErrorObject | undefined;
  readonly context: DecodeContext;
  readonly own: readonly OwnCode[];
}

/** The error object of a reply. As a JSON-RPC error it has its own members in `data`, with or without `details`. */
function findOnxError({ result, body }: ReplyParts): { error: JsonObject | undefined; found: ErrorObject | undefined } {
  const found = findErrorObject(result, isOnxError);
  const error = found?.error ?? objectAt(body, "error") ?? result;
  const data = objectAt(error, "data");
  if (booleanAt(data, "retryable") === undefined) return { error, found };
  const message = stringAt(error, "message");
  return { error: { details: data, ...data, ...error, message: message && stripCodePrefix(message).text }, found };
}

/** The form of an error object that counts in the data or in the text of a result, too. */
function isOnxError(error: JsonObject): boolean {
  const isCode = (integerAt(error, "code") ?? 0) > 0;
  return isCode && booleanAt(error, "retryable") !== undefined && stringAt(error, "message") !== undefined;
}

function fromOnxRpcError(reason: TableReason, error: JsonObject, context: DecodeContext): Fault {
  const data = memberAt(error, "data");
  const field = stringAt(data, "field");
  return reason.fault(
    {},
    {
      ...context,
      ...readCarriedMembers(data),
      ...peerQuote(stringAt(error, "message")),
      ...(field !== undefined && { issues: [{ pointer: fromDottedPath(field), rule: "custom" }] }),
    },
  );
}

function fromOnxError(code: number, error: JsonObject, { meta, found, context, own }: OnxPlace): Fault | undefined {
  const rows = Object.values<OnxRow>(ONX_ROWS);
  const yours = own.find((one) => one.code === code);
  // Beside the general code, Recourse states the kind.
  const kind = code === ONX_ROWS.adapter.code ? memberAt(meta, KIND_KEY) : undefined;
  const stated = rows.find((one) => one.reason.kind === kind);
  const row = stated ?? yours ?? rows.find((one) => one.code === code);
  const allowed = booleanAt(error, "retryable");
  const reason = row?.reason ?? reasonOfRange(code) ?? (allowed === undefined ? undefined : unrecognised);
  if (reason === undefined) return undefined;
  const options = { effect: defaultEffect(reason), ...context, ...readCarriedMembers(meta ?? error, found) };
  const details = objectAt(error, "details");
  const issue = fromOnxDetails(details, row);
  // A failure that could be retried but for its effect is only called so.
  const isAdvice = allowed !== undefined && !(stated?.retryable === true && options.effect !== "none");
  const afterMs = numberAt(objectAt(details, "context"), WAIT_NAME);
  const retry = isAdvice && { retry: { allowed, ...(afterMs !== undefined && { afterMs }) } };
  const recourse = memberAt(meta, NEXT_KEY) as readonly Recourse[] | undefined;
  // The moves say the same as the suggestion.
  const suggestion = recourse === undefined ? stringAt(details, "suggestion") : undefined;
  const originalError = stringAt(details, "originalError");
  // Where the reason has no slot for the identifier, it becomes the cause.
  const hasCause = originalError !== undefined && !Object.hasOwn(reason.slots, "originalError");
  const fault = reason.fault(onxParams(reason, details), {
    ...options,
    ...peerQuote(joinSentences([stringAt(error, "message"), suggestion], context)),
    ...retry,
    ...(recourse !== undefined && { recourse }),
    ...(issue !== undefined && { issues: [issue] }),
    ...(hasCause && {
      cause: failed({ originalError }, { ...context, ...retry, effect: defaultEffect(reason), basis: "mapped" }),
    }),
  });
  return yours === undefined ? fault : withoutRepetition(fault);
}

function reasonOfRange(code: number): TableReason | undefined {
  return ONX_RANGES.find(({ from }) => code >= from && code < from + 1_000)?.reason;
}

function fromOnxDetails(details: JsonObject | undefined, row: OnxRow | undefined): Issue | undefined {
  const field = stringAt(details, "field");
  const detailReason = stringAt(details, "reason");
  if (field === undefined && !isIssueRule(detailReason)) return undefined;
  return {
    pointer: fromDottedPath(field ?? ""),
    rule: isIssueRule(detailReason) ? detailReason : (row?.rule ?? "custom"),
  };
}

/** The members that the reason has slots for. The slots refuse values that do not fit. */
function onxParams(reason: TableReason, details: JsonObject | undefined): JsonObject {
  const context = objectAt(details, "context");
  const detailReason = stringAt(details, "reason");
  const originalError = stringAt(details, "originalError");
  const named = Object.keys(reason.slots).flatMap((name) => {
    const value = memberAt(context, name);
    return value === undefined || value === null ? [] : [[name, value] as const];
  });
  return {
    ...(detailReason !== undefined &&
      detailReason !== "" &&
      !isIssueRule(detailReason) && { constraint: detailReason }),
    ...Object.fromEntries(named),
    ...(originalError !== undefined && { originalError }),
  };
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
 * import { adapter } from "@recourse/faults/reasons";
 * import { onx } from "@recourse/dialects/onx";
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
