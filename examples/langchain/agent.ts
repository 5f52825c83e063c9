// Tools of an MCP server for LangChain. Failures are messages with the status "error", so nothing is thrown, and neither
// the agent nor a retry middleware makes a call again that Recourse has ended.
import { ToolMessage } from "@langchain/core/messages";
import { type DynamicStructuredTool, tool } from "@langchain/core/tools";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { agentTools, observeTransport, type RecourseClient, recourse, type ToolPart } from "@recourse/faults/client";

/** Connects to a server. */
export async function connect(url: string, options: { readonly deadlineMs?: number } = {}) {
  const transport = observeTransport();
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: transport.fetch }));
  return recourse(client, { transport, ...options });
}

/** The server's tools, for `createAgent({ model, tools })`. */
export async function langchainTools(mcp: RecourseClient): Promise<DynamicStructuredTool[]> {
  return (await agentTools(mcp)).map(
    ({ name, description, inputSchema, execute }) =>
      tool(
        async (args: unknown, config) => {
          const { signal, toolCall } = config as { signal?: AbortSignal; toolCall?: { id?: string } };
          const reply = await execute(args, signal === undefined ? {} : { signal });
          return new ToolMessage({
            name,
            tool_call_id: toolCall?.id ?? "",
            status: reply.isError ? "error" : "success",
            content: reply.parts.map(blockOf),
            artifact: reply.fault ?? reply.result,
          });
        },
        { name, description, schema: inputSchema },
      ) as DynamicStructuredTool,
  );
}

function blockOf(part: ToolPart) {
  if (part.type === "text") return part;
  const type = part.mediaType.startsWith("image/") ? ("image" as const) : ("file" as const);
  return { type, mimeType: part.mediaType, data: part.data };
}
