// Express 5, SDK 2.x. The body parser in front is not needed; many apps have one for their other routes.
import { createMcpHandler } from "@modelcontextprotocol/server";
import { edgeErrorHandler, guardHandler, toNodeListener } from "@recourse/faults/server";
import express from "express";
import { createServer } from "./server-v2.ts";
import { authenticate } from "./tokens.ts";

const handler = guardHandler(createMcpHandler(createServer), { name: "orders", auth: { authenticate } });

export const app = express();
app.use(express.json());
app.all("/mcp", toNodeListener(handler));
app.use("/mcp", edgeErrorHandler({ name: "orders" }));
