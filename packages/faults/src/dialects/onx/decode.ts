import type { Fault, Issue } from "../../fault/fault.ts";
import { booleanAt, integerAt, type JsonObject, memberAt, objectAt, stringAt } from "../../json/read.ts";
import type { ReasonOptions } from "../../reasons/build-safely.ts";
import { failed } from "../../reasons/library/adapter.ts";
import { unrecognised } from "../../reasons/library/core.ts";
import { defaultEffect, readCertainty } from "../certainty.ts";
import type { DecodeContext, TableReason } from "../dialect.ts";
import { type ReplyParts, splitReply } from "../envelope.ts";
import { joinSentences, peerQuote } from "../sentence.ts";
import { fromDottedPath } from "./dotted-path.ts";
import { isIssueRule } from "./encode.ts";
import { ONX_RANGES, ONX_ROWS, ONX_RPC, type OnxRow, type OnxRpcCode } from "./table.ts";

/** Recognises a positive code with a message and with `retryable` or `details`, which no other system puts there. */
export function isOnxReply({ result, body }: ReplyParts): boolean {
  const error = objectAt(result, "error") ?? objectAt(body, "error") ?? body;
  const hasOwnMember = booleanAt(error, "retryable") !== undefined || objectAt(error, "details") !== undefined;
  return (integerAt(error, "code") ?? 0) > 0 && hasOwnMember && stringAt(error, "message") !== undefined;
}

/** Reads onX's error object, alone or in a result, and the JSON-RPC errors that it uses. */
export function decodeOnx(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { result, body } = splitReply(wire);
  const inResult = objectAt(result, "error");
  const error = inResult ?? objectAt(body, "error") ?? result;
  const code = integerAt(error, "code");
  if (error === undefined || code === undefined) return undefined;
  if (Object.hasOwn(ONX_RPC, code)) return fromOnxRpcError(ONX_RPC[code as OnxRpcCode], error, context);
  // Outside a result, only `retryable` tells a code of onX from the code of another system.
  if (inResult === undefined && booleanAt(error, "retryable") === undefined) return undefined;
  const meta = objectAt(result, "_meta");
  return fromOnxError(code, error, { ...context, ...readCertainty(meta ?? error) });
}

function fromOnxRpcError(reason: TableReason, error: JsonObject, context: DecodeContext): Fault {
  const data = memberAt(error, "data");
  const field = stringAt(data, "field");
  return reason.fault(
    {},
    {
      ...context,
      ...readCertainty(data),
      ...peerQuote(stringAt(error, "message")),
      ...(field !== undefined && { issues: [{ pointer: fromDottedPath(field), rule: "custom" }] }),
    },
  );
}

function fromOnxError(code: number, error: JsonObject, options: ReasonOptions): Fault | undefined {
  const row = Object.values<OnxRow>(ONX_ROWS).find((one) => one.code === code);
  const allowed = booleanAt(error, "retryable");
  const reason = row?.reason ?? reasonOfRange(code) ?? (allowed === undefined ? undefined : unrecognised);
  if (reason === undefined) return undefined;
  const details = objectAt(error, "details");
  const issue = fromOnxDetails(details, row);
  const retry = allowed !== undefined && { retry: { allowed } };
  const originalError = stringAt(details, "originalError");
  // Only `adapter/failed` has a slot for the identifier. Under any other code it becomes the cause.
  const hasCause = originalError !== undefined && reason !== failed;
  return reason.fault(onxParams(reason, details), {
    ...options,
    ...peerQuote(joinSentences([stringAt(error, "message"), stringAt(details, "suggestion")], options)),
    ...retry,
    ...(issue !== undefined && { issues: [issue] }),
    ...(hasCause && {
      cause: failed({ originalError }, { ...options, ...retry, effect: defaultEffect(reason), basis: "mapped" }),
    }),
  });
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
