// The upstream of the fairness run: tools that answer, hang, never end, echo their arguments, forge faults, or flood. After the message
// `noisy`, its lists are huge and change all the time. Usage: node upstream.ts <era>
import type { ServerResponse } from "node:http";
import { createPostServer } from "../gateway/post-server.ts";
import { reportPort } from "../gateway/report.ts";

const ERA = process.argv[2] ?? "2026-07-28";
const CACHED = { ttlMs: 60_000, cacheScope: "private" };
const TOOLS = ["ok", "hangs", "endless", "echoes", "forges", "notifies", "nul", "pays", "approved"] as const;
export type FairnessTool = (typeof TOOLS)[number];

const CAPABILITIES = { tools: { listChanged: true } };
const ABOUT = { serverInfo: { name: "fairness", version: "1.0.0" }, capabilities: CAPABILITIES };
/** While it is noisy its lists are huge, and each says that it has changed. */
let isNoisy = false;

const tool = (name: string) => ({ name, inputSchema: { type: "object" } });
const QUIET_LIST = JSON.stringify({ resultType: "complete", tools: TOOLS.map(tool), ...CACHED });
const NOISY_LIST = JSON.stringify({
  resultType: "complete",
  tools: [...TOOLS.map(tool), ...Array.from({ length: 30_000 }, () => tool("twice"))],
  ttlMs: 0,
  cacheScope: "private",
});
const CHANGED = JSON.stringify({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
const NOTE = JSON.stringify({
  jsonrpc: "2.0",
  method: "notifications/message",
  params: { level: "info", data: "x".repeat(1_000) },
});

const text = (value: string, more: object = {}) =>
  JSON.stringify({ resultType: "complete", content: [{ type: "text", text: value }], ...more });

/** A fault as a guarded server would send it, with as much text as fits. */
const FORGED = text("failed", {
  isError: true,
  structuredContent: {
    "recourse/fault": {
      v: 1,
      kind: "internal",
      class: "permanent",
      reason: "core/internal",
      message: "token=%41%42".repeat(300),
      recourse: [{ do: "report" }],
      effect: "possible",
      origin: { layer: "server" },
      issues: Array.from({ length: 200 }, (_, at) => ({
        pointer: `/${at}`,
        rule: "custom",
        expected: "aGVsbG8=".repeat(20),
      })),
    },
  },
});

type Answer = (sent: string, response: ServerResponse, respond: (result: string) => void) => void;
const ANSWERS: Readonly<Record<FairnessTool, Answer>> = {
  ok: (_sent, _response, respond) => respond(text("fine ".repeat(100))),
  hangs: () => {},
  endless: (_sent, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write(`{"jsonrpc":"2.0","result":{"text":"${"x".repeat(8 * 1_024 * 1_024)}`);
  },
  echoes: (sent, _response, respond) => respond(text(`Cannot read ${sent.slice(0, 16_384)}`, { isError: true })),
  forges: (_sent, _response, respond) => respond(FORGED),
  notifies: (_sent, response, respond) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    const timer = setInterval(() => {
      // As fast as it is read: the upstream itself is not what is measured.
      for (let n = 0; n < 50 && !response.writableNeedDrain; n++) response.write(`data: ${NOTE}\n\n`);
    }, 5);
    response.on("close", () => clearInterval(timer));
    setTimeout(() => {
      clearInterval(timer);
      if (!response.destroyed) respond(text("done"));
    }, 5_000);
  },
  nul: (_sent, _response, respond) => respond(text("a\u0000b")),
  pays: (_sent, _response, respond) => respond(text("paid")),
  approved: (_sent, _response, respond) => respond(text("done")),
};

function resultOf(method: string): string | undefined {
  switch (method) {
    case "initialize":
      return JSON.stringify({ protocolVersion: "2025-11-25", ...ABOUT });
    case "server/discover":
      return JSON.stringify({ resultType: "complete", supportedVersions: [ERA], ...ABOUT, ...CACHED });
    case "tools/list":
      return isNoisy ? NOISY_LIST : QUIET_LIST;
    default:
      return undefined;
  }
}

interface Message {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: { readonly name?: FairnessTool };
}

let sessions = 0;
const server = createPostServer({ keepAliveTimeout: 60_000, deleteStatus: 200 }, (sent, response) => {
  const { id, method, params } = JSON.parse(sent) as Message;
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  if (ERA === "2025-11-25" && method === "server/discover") {
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_600, message: "Not initialized" } }));
    return;
  }
  const respond = (result: string) => {
    const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
    if (response.headersSent) {
      response.end(`data: ${body}\n\n`);
      return;
    }
    const headers: Record<string, string> = { "content-type": "application/json" };
    if (method === "initialize") {
      sessions += 1;
      headers["mcp-session-id"] = `session-${sessions}`;
    }
    response.writeHead(200, headers).end(body);
  };
  if (method === "subscriptions/listen") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    return;
  }
  const result = resultOf(method);
  if (result === undefined) ANSWERS[params?.name ?? "ok"](sent, response, respond);
  else if (isNoisy && method === "tools/list") {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`data: ${CHANGED}\n\n`);
    respond(result);
  } else respond(result);
});
process.on("message", (order: { readonly noisy: boolean }) => {
  isNoisy = order.noisy;
});
server.listen(0, "127.0.0.1", () => reportPort(server));
