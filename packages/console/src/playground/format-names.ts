import type { DIALECTS } from "@recourse/core/dialects";
import { SYSTEMS } from "@recourse/explain";

/** The names of the wire formats, as readers know them. */
export const FORMAT_NAMES = {
  mcp: "MCP",
  http: "HTTP",
  closient: SYSTEMS.closient.name,
  onx: SYSTEMS.onx.name,
  erlmcp: SYSTEMS.erlmcp.name,
  qaqnuz: SYSTEMS.qaqnuz.name,
  platica: SYSTEMS.platica.name,
} as const satisfies Record<keyof typeof DIALECTS, string>;
