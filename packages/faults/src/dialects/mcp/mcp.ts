import type { Dialect } from "../dialect.ts";
import type { McpContext } from "./channel.ts";
import { decode } from "./decode.ts";
import { encode, type McpWire } from "./encode.ts";
import { keeps } from "./keeps.ts";

/** MCP itself, revisions 2025-06-18, 2025-11-25 and 2026-07-28: the fault travels whole beside what every client reads. */
export const mcp: Dialect<McpWire, McpContext> = { name: "mcp", encode, decode, keeps };
