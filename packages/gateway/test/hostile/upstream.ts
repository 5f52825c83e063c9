import type { IncomingMessage, ServerResponse } from "node:http";

/** The credential that the gateway shows to the upstream; no caller may ever see it. */
export const UPSTREAM_SECRET = "upstream-secret-93f2a1c07d";

const ABOUT = {
  serverInfo: { name: "up", version: "1.0.0" },
  capabilities: { tools: {} },
  ttlMs: 60_000,
  cacheScope: "private",
};
const RESULTS: Readonly<Record<string, object>> = {
  "server/discover": { resultType: "complete", supportedVersions: ["2026-07-28"], ...ABOUT },
  "tools/list": {
    resultType: "complete",
    tools: [{ name: "echo", inputSchema: { type: "object" } }],
    ttlMs: 60_000,
    cacheScope: "private",
  },
  "tools/call": { resultType: "complete", content: [{ type: "text", text: "hello" }] },
};

/** A server of 2026-07-28 with one tool. Whatever reaches it is JSON. */
export function answerAsUpstream(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const message = JSON.parse(Buffer.concat(chunks).toString()) as { id?: unknown; method: string };
    if (message.id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const result = RESULTS[message.method];
    const outcome = result === undefined ? { error: { code: -32601, message: "Method not found" } } : { result };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, ...outcome }));
  });
}
