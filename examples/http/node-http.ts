// The HTTP server of Node, SDK 2.x.
import { createServer as createHttpServer } from "node:http";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { guardHandler, toNodeListener } from "@recourse/faults/server";
import { createServer } from "./server-v2.ts";
import { authenticate } from "./tokens.ts";

const handler = guardHandler(createMcpHandler(createServer), { name: "orders", auth: { authenticate } });

export const server = createHttpServer(toNodeListener(handler));
