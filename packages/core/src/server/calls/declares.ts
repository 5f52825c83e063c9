import type { TableReason } from "../../dialects/dialect.ts";
import type { AnyReason } from "../../reasons/types.ts";
import { arrayAt, memberAt } from "../../wire/json.ts";
import { DECLARES_KEY } from "../../wire/names.ts";

/** The reasons behind each list of names, since the list on the wire has nothing but names. */
export const DECLARED_REASONS = /* @__PURE__ */ new WeakMap<object, readonly TableReason[]>();

/**
 * The `_meta` of a tool that lists the reasons it may fail with. In `tools/list` a guarded server adds their codes in its
 * dialect, in the same order, as `_meta["recourse/codes"]`.
 *
 * @example
 * server.registerTool("cancel_order", { inputSchema, _meta: declares(orders.not_found, orders.shipped) }, handler);
 */
export function declares(...reasons: readonly AnyReason[]): Readonly<Record<string, readonly string[]>> {
  const ids = reasons.map((reason) => reason.id);
  DECLARED_REASONS.set(ids, reasons as readonly TableReason[]);
  return { [DECLARES_KEY]: ids };
}

/** Whether a tool of a list declared something. */
export function declaresAnything(listed: unknown): boolean {
  return arrayAt(listed, "tools").some((tool) => Array.isArray(memberAt(memberAt(tool, "_meta"), DECLARES_KEY)));
}
