// The MCP server: one tool of its own, and the tools that the bridge makes of the REST API.

import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import * as api from "@opentelemetry/api";
import { bearer, openapi } from "@recourse/bridge";
import { guard, guardHandler, loggerSink } from "@recourse/faults/server";
import { openTelemetry } from "@recourse/faults/telemetry";
import { pino } from "pino";
import * as z from "zod";
import { serveUntilInputEnds } from "./service.ts";
import { startTelemetry } from "./telemetry.ts";

const stop = startTelemetry("shop-server");
const telemetry = openTelemetry(api);
const sink = loggerSink(pino(pino.destination(2)));
const { WAREHOUSE_KEY = "", WAREHOUSE_URL = "" } = process.env;

const json = (schema: object) => ({ content: { "application/json": { schema } } });
const warehouse = await openapi(
  {
    openapi: "3.1.0",
    info: { title: "Warehouse", version: "1.0.0" },
    servers: [{ url: WAREHOUSE_URL }],
    paths: {
      "/stock/{sku}": {
        get: {
          operationId: "get_stock",
          parameters: [{ name: "sku", in: "path", required: true, schema: { type: "string" } }],
          responses: { "200": { description: "The stock." } },
        },
      },
      "/shipments": {
        post: {
          operationId: "create_shipment",
          requestBody: json({ type: "object", properties: { order: { type: "integer" } }, required: ["order"] }),
          responses: { "201": { description: "The shipment." } },
        },
      },
    },
  },
  // The telemetry of the bridge: one span for each request to the API, and the trace goes on there.
  { credential: bearer(WAREHOUSE_KEY), network: { allowPrivate: ["127.0.0.0/8"] }, telemetry },
);

function createServer(): McpServer {
  const server = guard(new McpServer({ name: "shop", version: "1.0.0" }), { telemetry, sink });
  server.registerTool("find_order", { inputSchema: z.object({ order: z.number().int() }) }, async ({ order }) => ({
    content: [{ type: "text", text: `Order ${order}: 2 × tea` }],
  }));
  return warehouse.register(server);
}

const handle = toNodeHandler(guardHandler(createMcpHandler(createServer), { name: "shop", sink }));
await serveUntilInputEnds((request, response) => void handle(request, response), stop);
await warehouse.close();
