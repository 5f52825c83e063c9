// Our bridge as a server on stdio: the document and the address are its arguments.
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { bearer, openapi } from "../../packages/bridge/src/index.ts";

const [document = "", server = ""] = process.argv.slice(2);
const bridge = await openapi(document, {
  server,
  credential: bearer(process.env["UPSTREAM_KEY"] ?? ""),
  network: { allowPrivate: true },
});
await bridge
  .register(new McpServer({ name: "ours", version: "1.0.0" }), { sink: () => {} })
  .connect(new StdioServerTransport());
