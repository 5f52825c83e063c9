import { McpServer } from "@modelcontextprotocol/server";
import * as z from "zod";
import { answer, gtin } from "./answer.ts";

const rules = new Map([["09506000134352", "https://example.com/product"]]);

/** A server with one tool that knows one product, and whose database is down for another. */
export function createServer(): McpServer {
  const server = new McpServer({ name: "quickstart", version: "1.0.0" });
  const inputSchema = z.object({ gtin: z.string() });
  server.registerTool("resolve", { description: "Resolves a GTIN.", inputSchema }, ({ gtin: code }) =>
    answer(async () => {
      if (code === "09506000134369") throw new Error("connect ECONNREFUSED postgres://app:hunter2@10.0.0.5/shop");
      const rule = rules.get(code);
      if (rule === undefined) throw gtin.no_rule({ gtin: code });
      return { content: [{ type: "text" as const, text: rule }] };
    }),
  );
  return server;
}
