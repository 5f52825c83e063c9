// A server of the official SDK in the older era whose tools ask their client. Its argument is the version of the SDK.
import { z } from "zod";

const version = process.argv[2];
const INFO = { name: version, version: "1.0.0" };
const OPTIONS = { capabilities: { logging: {}, resources: { subscribe: true } } };
const FORM = {
  mode: "form",
  message: "Which size?",
  requestedSchema: { type: "object", properties: { size: { type: "number" } } },
};
const SAMPLE = { messages: [{ role: "user", content: { type: "text", text: "Hi" } }], maxTokens: 9 };

const text = (value) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });
const failed = (error) => text({ failed: error.code ?? String(error), message: error.message });

async function createServer() {
  if (version === "v1") {
    const { McpServer } = await import("@modelcontextprotocol/sdk/server/mcp.js");
    const { StdioServerTransport } = await import("@modelcontextprotocol/sdk/server/stdio.js");
    return { mcp: new McpServer(INFO, OPTIONS), transport: new StdioServerTransport(), schema: {} };
  }
  const { McpServer } = await import("@modelcontextprotocol/server");
  const { StdioServerTransport } = await import("@modelcontextprotocol/server/stdio");
  return { mcp: new McpServer(INFO, OPTIONS), transport: new StdioServerTransport(), schema: z.object({}) };
}

const { mcp, transport, schema } = await createServer();
const { server } = mcp;
const tool = (name, run) => mcp.registerTool(name, { inputSchema: schema }, () => run().then(text, failed));
tool("elicit", () => server.elicitInput(FORM));
tool("sample", () => server.createMessage(SAMPLE));
tool("roots", () => server.listRoots());
tool("capabilities", async () => server.getClientCapabilities());
const waiting = [];
tool("wait", () => new Promise((resolve) => waiting.push(resolve)));
tool("release", async () => {
  for (const resolve of waiting.splice(0)) resolve();
});
tool("update", async () => {
  await server.sendResourceUpdated({ uri: "files://one" });
});
tool("log", async () => {
  for (const level of ["debug", "error"]) await server.sendLoggingMessage({ level, data: level });
});
await mcp.connect(transport);
