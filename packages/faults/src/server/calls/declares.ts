import { DECLARES_KEY } from "../../json/names.ts";
import type { AnyReason } from "../../reasons/reason-type.ts";

/**
 * The `_meta` of a tool that lists the reasons it may fail with.
 *
 * @example
 * server.registerTool("cancel_order", { inputSchema, _meta: declares(orders.not_found, orders.shipped) }, handler);
 */
export function declares(...reasons: readonly AnyReason[]): Readonly<Record<string, readonly string[]>> {
  return { [DECLARES_KEY]: reasons.map((reason) => reason.id) };
}

/** The reasons that a tool declared; undefined where it declared nothing. */
export function declaredBy(tool: {
  readonly _meta?: Readonly<Record<string, unknown>>;
}): readonly string[] | undefined {
  const list = tool._meta?.[DECLARES_KEY];
  return Array.isArray(list) ? list : undefined;
}
