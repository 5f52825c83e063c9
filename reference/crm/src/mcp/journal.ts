import { appendFile } from "node:fs/promises";
import type { McpServer } from "@modelcontextprotocol/server";
import { core } from "@recourse/faults";

/** Keeps what was done through tools. */
export interface Journal {
  write(entry: { readonly tool: string }): Promise<void>;
}

/** A journal in a file, one line of JSON for each call. */
export function fileJournal(path: string, now: () => number): Journal {
  return {
    write: ({ tool }) => appendFile(path, `${JSON.stringify({ at: new Date(now()).toISOString(), tool })}\n`),
  };
}

type Handler = (args: unknown, context: unknown) => unknown;
interface Registers {
  registerTool(name: string, config: object, handler: Handler): unknown;
}

/** Has every call of the tools that are registered from now on written down first: what cannot be written is not done. */
export function journaled(server: McpServer, journal: Journal): McpServer {
  const peer: Registers = server as unknown as Registers;
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
