/** Dialects that failures can be written in. */
export const TARGET_DIALECTS = ["mcp", "http", "closient", "onx", "erlmcp", "qaqnuz", "platica"] as const;
export type TargetDialect = (typeof TARGET_DIALECTS)[number];
