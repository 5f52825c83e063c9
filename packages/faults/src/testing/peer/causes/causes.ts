import type { Cause } from "./cause.ts";
import { PARTIES } from "./parties.ts";
import { PROTOCOL } from "./protocol.ts";
import { RESOURCES } from "./resources.ts";
import { TOOLS } from "./tools.ts";

/** A real cause for every code of erlmcp. */
export const CAUSES: readonly Cause[] = [...PROTOCOL, ...RESOURCES, ...TOOLS, ...PARTIES];
