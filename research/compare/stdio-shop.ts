// The shop as a program on stdio: `node stdio-shop.ts v1|v2 bare|guarded <file>`. Each run of a tool is a line in the file.
import { appendFileSync } from "node:fs";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { guard } from "@recourse/core/server";
import { registerTools } from "./shop.ts";

const [, , sdk, mode, file = ""] = process.argv;
const info = { name: "shop", version: "1.0.0" };

function prepare<Server extends McpServerV1 | McpServerV2>(server: Server): Server {
  if (mode === "guarded") guard(server as never, { sink: () => appendFileSync(file, "incident\n") });
  registerTools(server as never, "process-dies", () => appendFileSync(file, "run\n"));
  return server;
}

if (sdk === "v1") await prepare(new McpServerV1(info)).connect(new StdioServerTransport());
else serveStdio(() => prepare(new McpServerV2(info)));
