// Fastify 5, SDK 2.x. Fastify parses bodies before any route, so its errors are answered too.
import { createMcpHandler } from "@modelcontextprotocol/server";
import { edgeErrorHandler, guardHandler, toNodeListener } from "@recourse/faults/server";
import { fastify } from "fastify";
import { createServer } from "./server-v2.ts";
import { authenticate } from "./tokens.ts";

const handler = guardHandler(createMcpHandler(createServer), { name: "orders", auth: { authenticate } });

export const app = fastify();
app.setErrorHandler(edgeErrorHandler({ name: "orders" }));
app.all("/mcp", toNodeListener(handler));
