// Hono on Node, SDK 2.x. `c.env` tells the guard at which address the connection came in.
import type { HttpBindings } from "@hono/node-server";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { guardHandler } from "@recourse/faults/server";
import { Hono } from "hono";
import { createServer } from "./server-v2.ts";
import { authenticate } from "./tokens.ts";

const handler = guardHandler(createMcpHandler(createServer), { name: "orders", auth: { authenticate } });

export const app = new Hono<{ Bindings: HttpBindings }>();
app.all("/mcp", (c) => handler.fetch(c.req.raw, c.env as object));
