import { appendFile } from "node:fs/promises";
import type { McpServer } from "@modelcontextprotocol/server";
import { core } from "@recourse/faults/reasons";

/** A journal of tool calls. */
export interface Journal {
  write(entry: { readonly tool: string }): Promise<void>;
}

/** Creates a journal in a file, with one line of JSON for each call. */
export function fileJournal(path: string, now: () => number): Journal {
  return {
    write: ({ tool }) => appendFile(path, `${JSON.stringify({ at: new Date(now()).toISOString(), tool })}\n`),
  };
}

type Handler = (args: unknown, context: unknown) => unknown;
interface ToolRegistrar {
  registerTool(name: string, config: object, handler: Handler): unknown;
}

/** Writes every call of tools that are registered later to the journal first. If that fails, the call is not made. */
export function withJournal(server: McpServer, journal: Journal): McpServer {
  const peer: ToolRegistrar = server as unknown as ToolRegistrar;
  const register = peer.registerTool.bind(server);
  peer.registerTool = (tool, config, handler) =>
    register(tool, config, async (args, context) => {
      try {
        await journal.write({ tool });
      } catch (cause) {
        throw core.internal({}, { effect: "none", cause });
      }
      return handler(args, context);
    });
  return server;
}
