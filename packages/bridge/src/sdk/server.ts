import { type GuardOptions, guard, isGuarded } from "@recourse/faults/server";

/** The part of an `McpServer`, of SDK 1 or 2, that tools are registered with. */
export interface ToolRegistrar {
  registerTool(name: string, config: object, handler: (...args: unknown[]) => unknown): unknown;
}

/** The server, guarded with these options unless it is guarded already. Throws for anything but an `McpServer`. */
export function guardedServer(server: object, options: GuardOptions): ToolRegistrar {
  if (!("registerTool" in server))
    throw new TypeError(
      "register() takes an McpServer of SDK 1 or 2: pass the server that you made with new McpServer(…)",
    );
  if (!isGuarded(server)) guard(server, options);
  return server as ToolRegistrar;
}

/** An answer has to leave this long before the caller's deadline: the guard itself gives up 50 ms before it. */
export const UPSTREAM_ANSWER_MARGIN_MS = 100;
