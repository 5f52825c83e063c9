import type { Sink } from "@recourse/faults/server";
import { type ListenAddress, listen, type RunningServer, readHosts } from "@recourse/reference-shared";
import { openBridge } from "./mcp/bridge.ts";
import { createHandler } from "./mcp/handler.ts";
import type { Journal } from "./mcp/journal.ts";
import { createRest, type RestOptions } from "./rest/rest.ts";

/** Starts the REST API. */
export function startRest(options: RestOptions, place: ListenAddress): Promise<RunningServer> {
  return listen(createRest(options), place);
}

/** Options of the MCP server. */
export interface McpOptions {
  /** The address of the REST API. */
  readonly api: string;
  readonly sink: Sink;
  readonly now: () => number;
  readonly journal?: Journal | undefined;
  /**
   * The names that the server is reached by.
   *
   * @default those of this machine for itself
   */
  readonly hosts?: readonly string[] | undefined;
}

/** Starts the MCP server. It knows only the address of the API and its document. */
export async function startMcp(options: McpOptions, place: ListenAddress): Promise<RunningServer> {
  const bridge = await openBridge(options);
  const handler = createHandler({ ...options, hosts: options.hosts ?? readHosts(), bridge });
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
