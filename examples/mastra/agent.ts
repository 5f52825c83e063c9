// Tools of an MCP server for Mastra. Its own MCP client makes a call again after a lost connection, even one that has
// charged a card; here only Recourse decides.
import { createTool, type ToolAction } from "@mastra/core/tools";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { agentTools, observeTransport, type RecourseClient, recourse, type ToolReply } from "@recourse/faults/client";

/** Connects to a server. */
export async function connect(url: string, options: { readonly deadlineMs?: number } = {}) {
  const transport = observeTransport();
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: transport.fetch }));
  return recourse(client, { transport, ...options });
}

/** The server's tools, for `new Agent({ tools })`. */
export async function mastraTools(mcp: RecourseClient): Promise<Record<string, ToolAction<unknown, unknown>>> {
  const tools = (await agentTools(mcp)).map(({ name, description, inputSchema, execute }) =>
    createTool({
      id: name,
      description,
      inputSchema: inputSchema as never,
      execute: (args, { abortSignal }) => execute(args, abortSignal === undefined ? {} : { signal: abortSignal }),
      toModelOutput: (reply: unknown) => outputOf(reply as ToolReply | Refusal),
    }),
  );
  return Object.fromEntries(tools.map((tool) => [tool.id, tool])) as never;
}

/** Mastra checks arguments itself. For wrong ones it gives this to `toModelOutput`, and the tool does not run. */
interface Refusal {
  readonly error: true;
  readonly message: string;
}

function outputOf(reply: ToolReply | Refusal) {
  if ("error" in reply) return { type: "error-text", value: reply.message };
  const { isError, text, parts } = reply;
  if (isError) return { type: "error-text", value: text };
  return { type: "content", value: parts.map((part) => (part.type === "text" ? part : { ...part, type: "media" })) };
}
