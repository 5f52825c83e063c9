import type { Details } from "../../fault/build.ts";
import { type Fault, MAX } from "../../fault/fault.ts";
import { invalid_arguments } from "../../reasons/library/tool.ts";
import type { Rest } from "../../reasons/sparing.ts";
import { readCertainty } from "../certainty.ts";
import type { DecodeContext } from "../dialect.ts";
import { quoteOf, sentenceOf } from "../prose.ts";
import {
  arrayAt,
  booleanAt,
  firstText,
  integerAt,
  isJson,
  type Json,
  objectAt,
  open,
  parseJson,
  stringAt,
} from "../wire.ts";
import { type Row, RPC, rowOfStatus } from "./table.ts";
import { fromErrors, fromZod } from "./zod.ts";

/** Reads a failed tool result, the body of the REST API alone or in its HTTP reply, and the JSON-RPC errors of the system. */
export function decode(wire: unknown, context: DecodeContext = {}): Fault | undefined {
  const { result, error, headers, body } = open(wire);
  const rpc = Object.values<Row>(RPC).find((row) => row.code === error?.code);
  if (rpc !== undefined && error !== undefined) {
    const retry = retryOf(error.data, rpc, undefined);
    return rpc.reason.fault({}, { ...context, ...readCertainty(error.data), ...quoteOf(error.message), ...retry });
  }
  if (result?.["isError"] === true) {
    return ofResult(result, { ...context, ...readCertainty(objectAt(result, "_meta")) });
  }
  // Without the mark of a failure only the system's own members tell one.
  const isBody = stringAt(body, "error") !== undefined || arrayAt(body, "errors").length > 0;
  return isJson(body) && isBody ? ofBody(body, { ...context, ...readCertainty(body) }, waitOf(headers)) : undefined;
}

function ofResult(result: Json, rest: Rest): Fault | undefined {
  const text = firstText(result);
  const structured = objectAt(result, "structuredContent");
  const parsed = parseJson(text);
  const body = { ...(isJson(parsed) && parsed), ...structured };
  const issues = arrayAt(body, "issues").slice(0, MAX.issues).filter(isJson).map(fromZod);
  if (integerAt(body, "code") !== undefined || issues.length === 0) return ofBody(body, rest);
  const quote = quoteOf(isJson(parsed) ? undefined : text?.replaceAll("\n", "; "));
  return invalid_arguments.fault({}, { ...rest, ...quote, ...retryOf(body, undefined, undefined), issues });
}

/** Reads the body of a REST answer: its status, its sentences, the arguments that it flags. */
export function ofBody(body: Json, rest: Rest, waitMs?: number): Fault | undefined {
  const said = stringAt(body, "error");
  const row = rowOfStatus(integerAt(body, "code") ?? 0, said);
  if (row === undefined) return undefined;
  const details = stringAt(body, "details");
  // Details without a word in them, such as an ellipsis, say nothing.
  const more = details !== undefined && /\p{L}/u.test(details) ? details : undefined;
  const issues = fromErrors(arrayAt(body, "errors"));
  return row.reason.fault(
    {},
    {
      ...rest,
      ...quoteOf(sentenceOf([said, more], rest)),
      ...retryOf(body, row, waitMs),
      ...(issues.length > 0 && { issues }),
    },
  );
}

function retryOf(from: unknown, row: Row | undefined, waitMs: number | undefined): Pick<Details, "retry"> {
  const allowed = booleanAt(from, "retryable") ?? row?.retry;
  if (allowed === undefined) return {};
  return { retry: { allowed, ...(allowed && waitMs !== undefined && { afterMs: waitMs }) } };
}

/** The wait that an HTTP reply asks for, where it is given in seconds. */
function waitOf(headers: Json | undefined): number | undefined {
  const value = stringAt(headers, "retry-after") ?? stringAt(headers, "Retry-After");
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) * 1_000 : undefined;
}
