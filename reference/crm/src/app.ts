import type { Sink } from "@recourse/faults/server";
import { type Listening, listen, type Place } from "@recourse/reference-ground";
import { openBridge } from "./mcp/bridge.ts";
import { createHandler } from "./mcp/handler.ts";
import type { Journal } from "./mcp/journal.ts";
import { createRest, type RestOptions } from "./rest/rest.ts";

/** Starts the REST API. */
export function startRest(options: RestOptions, place: Place): Promise<Listening> {
  return listen(createRest(options), place);
}

/** What the MCP server is made of. */
export interface McpOptions {
  /** The address of the REST API. */
  readonly api: string;
  readonly sink: Sink;
  readonly now: () => number;
  readonly journal?: Journal | undefined;
}

/** Starts the MCP server, which knows the API by its address and its document alone. */
export async function startMcp(options: McpOptions, place: Place): Promise<Listening> {
  const bridge = await openBridge(options);
  const handler = createHandler({ ...options, bridge });
  const { url, close } = await listen(handler.fetch, place);
  return {
    url,
    async close() {
      await close();
      await handler.close();
      await bridge.close();
    },
  };
}
