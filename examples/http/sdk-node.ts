// The HTTP server of Node with the SDK's own adapter. It does not tell at which address a connection came in, so the hosts are
// listed.
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { guardHandler } from "@recourse/faults/server";
import { createServer } from "./server-v2.ts";
import { authenticate } from "./tokens.ts";

const allowedHosts = ["localhost", "127.0.0.1", "[::1]"];
const guarded = guardHandler(createMcpHandler(createServer), { name: "orders", auth: { authenticate }, allowedHosts });
const handle = toNodeHandler(guarded) as RequestListener;

export const server = createHttpServer(handle);
