import type { AnyReason } from "../../reasons/define.ts";

/** Where a tool's `_meta` lists the reasons that it may fail with. */
const DECLARES = "recourse/declares";

/** The `_meta` of a tool that says which reasons it may fail with: `_meta: declares(gtin.no_rule)`. */
export function declares(...reasons: readonly AnyReason[]): { readonly [DECLARES]: readonly string[] } {
  return { [DECLARES]: reasons.map((reason) => reason.id) };
}

/** The reasons that a tool declared, or undefined when it declared nothing. */
export function declaredBy(tool: {
  readonly _meta?: Readonly<Record<string, unknown>>;
}): readonly string[] | undefined {
  const list = tool._meta?.[DECLARES];
  return Array.isArray(list) ? list : undefined;
}
