// The upstream of the soak: tools that succeed, fail, stream, are slow, or never answer. Usage: node upstream.ts <port>
import type { ServerResponse } from "node:http";
import "../gateway/report.ts";
import { createPostServer } from "../gateway/post-server.ts";

const CACHED = { ttlMs: 60_000, cacheScope: "private" };
const TOOLS = ["ok", "large", "fails", "refuses", "broken", "stream", "slow", "hangs"] as const;
export type SoakTool = (typeof TOOLS)[number];

const ABOUT = { serverInfo: { name: "soak", version: "1.0.0" }, capabilities: { tools: {} } };
const RESULTS: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: "2025-11-25", ...ABOUT },
  "server/discover": { resultType: "complete", supportedVersions: ["2026-07-28"], ...ABOUT, ...CACHED },
  "tools/list": {
    resultType: "complete",
    tools: TOOLS.map((name) => ({ name, inputSchema: { type: "object" } })),
    ...CACHED,
  },
};
const text = (value: string, more: object = {}) => ({
  result: { resultType: "complete", content: [{ type: "text", text: value }], ...more },
});

type Answer = (respond: (outcome: object) => void, response: ServerResponse) => void;
const ANSWERS: Readonly<Record<SoakTool, Answer>> = {
  ok: (respond) => respond(text("fine ".repeat(100))),
  large: (respond) => respond(text("a line of text\n".repeat(13_000))),
  fails: (respond) => respond(text(`Order ${Math.random()} was not found.`, { isError: true })),
  refuses: (respond) => respond({ error: { code: -32_602, message: "Invalid params" } }),
  broken: (_, response) => void response.socket?.destroy(),
  stream: (respond, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const note = { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 1, progress: 1 } };
    response.write(`data: ${JSON.stringify(note)}\n\n`);
    setTimeout(() => respond(text("streamed")), 20);
  },
  slow: (respond) => void setTimeout(() => respond(text("late")), 300),
  hangs: () => {},
};

interface Message {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: { readonly name?: SoakTool };
}

const server = createPostServer({ keepAliveTimeout: 5_000 }, (sent, response) => {
  const { id, method, params } = JSON.parse(sent) as Message;
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const respond = (outcome: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", id, ...outcome });
    if (response.headersSent) response.end(`data: ${body}\n\n`);
    else response.writeHead(200, { "content-type": "application/json" }).end(body);
  };
  const result = RESULTS[method];
  if (result !== undefined) respond({ result });
  else ANSWERS[params?.name ?? "ok"](respond, response);
});
server.listen(Number(process.argv[2]), "127.0.0.1", () => process.send?.({ port: Number(process.argv[2]) }));
