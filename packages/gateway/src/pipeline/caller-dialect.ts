import { closient, type Dialect, erlmcp, mcp, onx, platica, qaqnuz } from "@recourse/faults/dialects";
import type { DialectName } from "../config/types.ts";
import type { Call } from "./call.ts";

/** The dialects by their names in the configuration. */
const DIALECTS: Readonly<Record<DialectName, Dialect<unknown>>> = { mcp, closient, onx, erlmcp, qaqnuz, platica };

/** The dialect that a caller is answered in. Set at its key, never by a header. */
export function dialectOf({ caller }: Pick<Call, "caller">): Dialect<unknown> | undefined {
  return caller?.dialect === undefined ? undefined : DIALECTS[caller.dialect];
}
