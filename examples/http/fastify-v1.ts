// Fastify 5, SDK 1.x without sessions. In a plugin of its own, the route leaves bodies alone: the guard checks them.
import { guardHandler, toNodeListener } from "@recourse/faults/server";
import { fastify } from "fastify";
import { stateless } from "./stateless-v1.ts";
import { authenticate } from "./tokens.ts";

const handler = guardHandler(stateless, { name: "orders", auth: { authenticate } });

export const app = fastify();
app.register((mcp, _options, done) => {
  mcp.removeAllContentTypeParsers();
  mcp.addContentTypeParser("*", (_request, _body, parsed) => parsed(null));
  mcp.all("/mcp", toNodeListener(handler));
  done();
});
