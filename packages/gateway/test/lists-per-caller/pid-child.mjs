// A program whose only tool has the id of its process in its name.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";

const server = new McpServer({ name: "pid", version: "1.0.0" });
server.registerTool(`process_${process.pid}`, {}, () => ({ content: [{ type: "text", text: String(process.pid) }] }));
await server.connect(new StdioServerTransport());
