// Tools of an MCP server for the OpenAI Agents SDK. A failure is the output of the tool, so its own sentence ("Please try
// again.") is never used.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { type FunctionTool, tool } from "@openai/agents";
import { agentTools, observeTransport, type RecourseClient, recourse, type ToolPart } from "@recourse/faults/client";

/** Connects to a server. */
export async function connect(url: string, options: { readonly deadlineMs?: number } = {}) {
  const transport = observeTransport();
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { fetch: transport.fetch }));
  return recourse(client, { transport, ...options });
}

/** The server's tools, for `new Agent({ tools })`. */
export async function openaiTools(mcp: RecourseClient): Promise<FunctionTool[]> {
  return (await agentTools(mcp)).map(
    ({ name, description, inputSchema, execute }) =>
      tool({
        name,
        description,
        parameters: { properties: {}, required: [], additionalProperties: true, ...inputSchema } as never,
        // The server checks the arguments, and its schema need not keep to the rules of strict mode.
        strict: false,
        async execute(args: unknown, _context, details) {
          const reply = await execute(args, details?.signal === undefined ? {} : { signal: details.signal });
          return reply.isError ? reply.text : reply.parts.map(outputOf);
        },
      }) as FunctionTool,
  );
}

function outputOf(part: ToolPart) {
  if (part.type === "text") return part;
  const { data, mediaType } = part;
  if (mediaType.startsWith("image/")) return { type: "image" as const, image: { data, mediaType } };
  return { type: "file" as const, file: { data, mediaType, filename: "file" } };
}
