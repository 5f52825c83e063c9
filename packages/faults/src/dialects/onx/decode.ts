import type { Fault, Issue } from "../../fault/fault.ts";
import { failed } from "../../reasons/library/adapter.ts";
import { unrecognised } from "../../reasons/library/core.ts";
import type { Rest } from "../../reasons/sparing.ts";
import { plainEffect, readCertainty } from "../certainty.ts";
import type { DecodeContext, TableReason } from "../dialect.ts";
import { quoteOf, sentenceOf } from "../prose.ts";
import { booleanAt, integerAt, type Json, memberAt, objectAt, open, stringAt } from "../wire.ts";
import { isRule } from "./encode.ts";
import { fromPath } from "./path.ts";
import { RANGES, ROWS, type Row, RPC, type RpcCode } from "./table.ts";

/** Reads the system's error object, alone or in a result, and the JSON-RPC errors that it uses. */
export function decode(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { result, body } = open(wire);
  const inResult = objectAt(result, "error");
  const error = inResult ?? objectAt(body, "error") ?? result;
  const code = integerAt(error, "code");
  if (error === undefined || code === undefined) return undefined;
  if (Object.hasOwn(RPC, code)) return ofRpc(RPC[code as RpcCode], error, context);
  // Outside a result a positive code is the system's only with the member that nobody else has.
  if (inResult === undefined && booleanAt(error, "retryable") === undefined) return undefined;
  const meta = objectAt(result, "_meta");
  return ofTool(code, error, { ...context, ...readCertainty(meta ?? error) });
}

function ofRpc(reason: TableReason, error: Json, context: DecodeContext): Fault {
  const data = memberAt(error, "data");
  const field = stringAt(data, "field");
  return reason.fault(
    {},
    {
      ...context,
      ...readCertainty(data),
      ...quoteOf(stringAt(error, "message")),
      ...(field !== undefined && { issues: [{ pointer: fromPath(field), rule: "custom" }] }),
    },
  );
}

function ofTool(code: number, error: Json, rest: Rest): Fault | undefined {
  const row = Object.values<Row>(ROWS).find((one) => one.code === code);
  const allowed = booleanAt(error, "retryable");
  const reason = row?.reason ?? rangeOf(code) ?? (allowed === undefined ? undefined : unrecognised);
  if (reason === undefined) return undefined;
  const details = objectAt(error, "details");
  const issue = issueOf(details, row);
  const retry = allowed !== undefined && { retry: { allowed } };
  const originalError = stringAt(details, "originalError");
  // Only a failed backend has a place for its identifier; under any other code it is what lies behind.
  const behind = originalError !== undefined && reason !== failed;
  return reason.fault(paramsOf(reason, details), {
    ...rest,
    ...quoteOf(sentenceOf([stringAt(error, "message"), stringAt(details, "suggestion")], rest)),
    ...retry,
    ...(issue !== undefined && { issues: [issue] }),
    ...(behind && {
      cause: failed({ originalError }, { ...rest, ...retry, effect: plainEffect(reason), basis: "mapped" }),
    }),
  });
}

function rangeOf(code: number): TableReason | undefined {
  return RANGES.find(({ from }) => code >= from && code < from + 1_000)?.reason;
}

function issueOf(details: Json | undefined, row: Row | undefined): Issue | undefined {
  const field = stringAt(details, "field");
  const word = stringAt(details, "reason");
  if (field === undefined && !isRule(word)) return undefined;
  return { pointer: fromPath(field ?? ""), rule: isRule(word) ? word : (row?.rule ?? "custom") };
}

/** The members that the reason has slots for; its slots refuse what does not fit. */
function paramsOf(reason: TableReason, details: Json | undefined): Json {
  const context = objectAt(details, "context");
  const word = stringAt(details, "reason");
  const originalError = stringAt(details, "originalError");
  const named = Object.keys(reason.slots).flatMap((name) => {
    const value = memberAt(context, name);
    return value === undefined || value === null ? [] : [[name, value] as const];
  });
  return {
    ...(word !== undefined && word !== "" && !isRule(word) && { constraint: word }),
    ...Object.fromEntries(named),
    ...(originalError !== undefined && { originalError }),
  };
}
