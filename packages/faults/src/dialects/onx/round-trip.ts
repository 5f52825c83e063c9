import type { Fault, Issue } from "../../fault/fault.ts";
import { failed } from "../../reasons/library/adapter.ts";
import { carriedAfterRoundTrip, defaultEffect } from "../carried-members.ts";
import type { EncodeContext } from "../dialect.ts";
import { peerQuote, wireSentence } from "../sentence.ts";
import { fromDottedPath } from "./dotted-path.ts";
import { onxWaitOf } from "./encode.ts";
import { onxRouteFor, originalErrorOf } from "./route.ts";
import { ONX_RPC, type OnxRow } from "./table.ts";

/** The fault after a round trip. Kinds that share a code become one, and the message becomes a quote. */
export function onxAfterRoundTrip(fault: Fault, context: EncodeContext = {}): Fault {
  const route = onxRouteFor(fault, context);
  const quote = peerQuote(wireSentence(fault));
  if (typeof route === "number") {
    const pointer = fault.issues?.[0]?.pointer ?? "";
    const issues: readonly Issue[] = pointer === "" ? [] : [{ pointer, rule: "custom" }];
    return ONX_RPC[route].fault({}, { ...carriedAfterRoundTrip(fault), ...quote, issues });
  }
  const { row, retryable: allowed, isAdvice } = route;
  const { reason } = row;
  const waitMs = allowed ? onxWaitOf(fault) : undefined;
  const retry = isAdvice && { retry: { allowed, ...(waitMs !== undefined && { afterMs: waitMs }) } };
  const originalError = originalErrorOf(fault);
  const hasCause = originalError !== undefined && reason !== failed;
  const params = Object.entries(fault.params ?? {}).filter(([, value]) => value !== null);
  return reason.fault(
    { ...Object.fromEntries(params), ...(originalError !== undefined && { originalError }) },
    {
      ...carriedAfterRoundTrip(fault),
      ...quote,
      ...retry,
      recourse: fault.recourse,
      issues: onxIssuesAfterRoundTrip(fault, row),
      ...(hasCause && {
        cause: failed({ originalError }, { ...retry, effect: defaultEffect(reason), basis: "mapped" }),
      }),
    },
  );
}

/** Pointer and rule of the first issue. Without issues, the param `field` becomes one. */
function onxIssuesAfterRoundTrip(fault: Fault, row: OnxRow): readonly Issue[] {
  const [first] = fault.issues ?? [];
  if (first !== undefined) return [{ pointer: first.pointer, rule: first.rule }];
  const field = fault.params?.["field"];
  if (typeof field !== "string" || field === "") return [];
  return [{ pointer: fromDottedPath(field), rule: row.rule ?? "custom" }];
}
