import type { TableReason } from "../../dialects/dialect.ts";
import { amendFault, repeatableFault } from "../../fault/amend.ts";
import { isEffectAssumed } from "../../fault/assumed-effect.ts";
import type { Fault } from "../../fault/fault.ts";
import { DECLARES_KEY } from "../../json/names.ts";
import { memberAt } from "../../json/read.ts";
import { libraryReason } from "../../reasons/library/by-id.ts";
import type { AnyReason } from "../../reasons/reason-type.ts";

/** The `_meta` of a tool, as far as it is about failures. */
interface ToolMeta {
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/** The reasons behind each list of names, since the list on the wire has nothing but names. */
const REASONS = /* @__PURE__ */ new WeakMap<object, readonly TableReason[]>();

/**
 * The `_meta` of a tool that lists the reasons it may fail with. In `tools/list` a guarded server adds their codes in its
 * dialect, in the same order, as `_meta["recourse/codes"]`.
 *
 * @example
 * server.registerTool("cancel_order", { inputSchema, _meta: declares(orders.not_found, orders.shipped) }, handler);
 */
export function declares(...reasons: readonly AnyReason[]): Readonly<Record<string, readonly string[]>> {
  const ids = reasons.map((reason) => reason.id);
  REASONS.set(ids, reasons as readonly TableReason[]);
  return { [DECLARES_KEY]: ids };
}

/** The names of the reasons that a tool declared; undefined where it declared nothing. */
export function declaredBy(tool: ToolMeta): readonly string[] | undefined {
  const list = tool._meta?.[DECLARES_KEY];
  return Array.isArray(list) ? list : undefined;
}

/** The reasons that a tool declared. One that is not known here is undefined. */
export function declaredReasons(tool: ToolMeta): readonly (TableReason | undefined)[] {
  const ids = declaredBy(tool) ?? [];
  return REASONS.get(ids) ?? ids.map((id) => libraryReason(String(id)));
}

/**
 * A fault of a reason as calls of a tool have it: with the values that are always the same, such as the identifier of a
 * backend, and by what the annotations say: without an effect where the tool only reads, to be repeated where that is safe.
 */
export function typicalFault(reason: TableReason, tool: { readonly annotations?: unknown }): Fault {
  const only = Object.entries(reason.slots).flatMap(([name, { choices = [] }]) =>
    choices.length === 1 ? [[name, choices[0]] as const] : [],
  );
  const fault = reason.fault(Object.fromEntries(only));
  if (fault.effect !== "possible") return fault;
  if (memberAt(tool.annotations, "readOnlyHint") === true) return amendFault(fault, { effect: "none" });
  const isRepeatable = memberAt(tool.annotations, "idempotentHint") === true && isEffectAssumed(fault);
  return isRepeatable ? repeatableFault(fault) : fault;
}
