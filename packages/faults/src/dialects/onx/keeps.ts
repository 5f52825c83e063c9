import type { Fault, Issue } from "../../fault/fault.ts";
import { failed } from "../../reasons/library/adapter.ts";
import { keptCertainty, plainEffect } from "../certainty.ts";
import type { EncodeContext } from "../dialect.ts";
import { proseOf, quoteOf } from "../prose.ts";
import { originalErrorOf, retryableOf, routeFor } from "./encode.ts";
import { fromPath } from "./path.ts";
import { type Row, RPC } from "./table.ts";

/**
 * Survives: the code's reason, whether to repeat, place and rule of the first issue, params that the code's reason has
 * too, the backend's identifier, effect and guess. Merges: kinds that share a code.
 * Becomes a quotation: the sentence. Lost: when to repeat, other issues, limits, origin, tried, causes, ids, time.
 */
export function keeps(fault: Fault, context: EncodeContext = {}): Fault {
  const route = routeFor(fault, context);
  const quote = quoteOf(proseOf(fault));
  if (typeof route === "number") {
    const pointer = fault.issues?.[0]?.pointer ?? "";
    const issues: readonly Issue[] = pointer === "" ? [] : [{ pointer, rule: "custom" }];
    return RPC[route].fault({}, { ...keptCertainty(fault, RPC[route]), ...quote, issues });
  }
  const { reason } = route;
  const retry = { allowed: retryableOf(fault, route) };
  const originalError = originalErrorOf(fault);
  const behind = originalError !== undefined && reason !== failed;
  const params = Object.entries(fault.params ?? {}).filter(([, value]) => value !== null);
  return reason.fault(
    { ...Object.fromEntries(params), ...(originalError !== undefined && { originalError }) },
    {
      ...keptCertainty(fault, reason),
      ...quote,
      retry,
      issues: keptIssues(fault, route),
      ...(behind && { cause: failed({ originalError }, { retry, effect: plainEffect(reason), basis: "mapped" }) }),
    },
  );
}

/** The first issue without its words; a field that is only named becomes one. */
function keptIssues(fault: Fault, row: Row): readonly Issue[] {
  const [first] = fault.issues ?? [];
  if (first !== undefined) return [{ pointer: first.pointer, rule: first.rule }];
  const field = fault.params?.["field"];
  if (typeof field !== "string" || field === "") return [];
  return [{ pointer: fromPath(field), rule: row.rule ?? "custom" }];
}
