import type { Mode } from "../run.ts";

/** The ways of running in which all servers of the study are read. */
export type ReadMode = Exclude<Mode, "allow">;

export const READ_MODES = ["bare", "public", "quote"] as const satisfies readonly ReadMode[];

/** What stands in place of a secret that was cut out of a text. */
export const CUT = "[removed]";
