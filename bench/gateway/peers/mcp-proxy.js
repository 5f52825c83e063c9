// mcp-proxy in front of a server over HTTP: `node mcp-proxy.js <url> <port>`. It runs from the folder that has it installed.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Server } from "@modelcontextprotocol/server";
import { proxyServer, startHTTPServer } from "mcp-proxy";

const [, , url, port] = process.argv;
const client = new Client({ name: "bench", version: "1.0.0" }, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
await client.connect(new StreamableHTTPClientTransport(new URL(url)));
const capabilities = client.getServerCapabilities() ?? {};

await startHTTPServer({
  host: "127.0.0.1",
  port: Number(port),
  enableJsonResponse: true,
  eventStore: false,
  createServer: async () => {
    const server = new Server(client.getServerVersion() ?? { name: "bench", version: "1.0.0" }, { capabilities });
    await proxyServer({ server, client, serverCapabilities: capabilities });
    return server;
  },
});
process.send?.({ port: Number(port) });
