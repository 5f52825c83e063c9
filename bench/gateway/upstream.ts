import { createServer, type Server } from "node:http";
import { OVERLOADED, RESULTS, TOOL, withNextOrder } from "./messages.ts";

const ABOUT = { serverInfo: { name: "stub", version: "1.0.0" }, capabilities: { tools: {} } };
/** What is answered besides calls, by method. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  initialize: { protocolVersion: "2025-11-25", ...ABOUT },
  "server/discover": {
    supportedVersions: ["2026-07-28"],
    resultType: "complete",
    ttlMs: 60_000,
    cacheScope: "public",
    ...ABOUT,
  },
  "tools/list": { tools: [TOOL], resultType: "complete", ttlMs: 60_000, cacheScope: "public" },
  ping: {},
};
/** The answers to calls after the id, by the last part of the path. */
const CALLS = new Map(
  Object.entries(RESULTS).map(([name, result]) => [
    name,
    `"result":${JSON.stringify({ ...result, resultType: "complete" })}}`,
  ]),
);

/** The answer to anything but a call, after the id. */
function restOf(method: string): string {
  const result = ANSWERS[method];
  if (result === undefined) return '"error":{"code":-32601,"message":"Method not found"}}';
  return `"result":${JSON.stringify(result)}}`;
}

interface Message {
  readonly id?: string | number;
  readonly method: string;
}

/** The stub that all variants stand in front of: `node:http` with kept connections, one answer for each path. */
export function createStub(): Server {
  return createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    if (request.method !== "POST") {
      response.writeHead(405, { allow: "POST" }).end();
      return;
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { id, method } = JSON.parse(Buffer.concat(chunks).toString()) as Message;
      if (id === undefined) {
        response.writeHead(202).end();
        return;
      }
      if (method === "subscriptions/listen") {
        // Some proxies listen for changes; there are none.
        const _meta = { "io.modelcontextprotocol/subscriptionId": String(id) };
        const params = { notifications: {}, _meta };
        const message = { jsonrpc: "2.0", method: "notifications/subscriptions/acknowledged", params };
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
        return;
      }
      const name = (request.url ?? "").slice(1);
      if (method === "tools/call" && name === "overloaded") {
        response.writeHead(OVERLOADED.status, OVERLOADED.headers).end(OVERLOADED.body);
        return;
      }
      const known = method === "tools/call" ? (CALLS.get(name) ?? "") : restOf(method);
      const rest = name === "sentence" ? withNextOrder(known) : known;
      const body = Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${rest}`);
      response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
      response.end(body);
    });
  });
}
