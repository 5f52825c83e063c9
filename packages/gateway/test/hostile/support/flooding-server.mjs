// A server with a tool for each way to send without end. `http` writes its port on the first line, `stdio` is a child.
import { createServer } from "node:http";

const KIB = 1024;
const text = (json) => Buffer.from(`${JSON.stringify(json)}\n`);
const event = (json) => Buffer.from(`event: message\ndata: ${JSON.stringify(json)}\n\n`);
const times = (count, make) => Buffer.concat(Array.from({ length: count }, (_, at) => make(at)));
const rpc = (message) => ({ jsonrpc: "2.0", ...message });
const progress = (token) => rpc({ method: "notifications/progress", params: { progressToken: token, progress: 1 } });
const OTHER = rpc({ method: "notifications/evil", params: { a: 1 } });
const CHANGED = rpc({ method: "notifications/message", params: { level: "info", data: "x" } });
const LATE = rpc({ id: 99_999_999, result: { resultType: "complete", content: [] } });
const PING = rpc({ id: 7, method: "ping" });
const OK = { resultType: "complete", content: [{ type: "text", text: "ok" }] };

/** What a stream repeats, by the name of the tool. */
const STREAMS = {
  progress: ({ token }) => times(400, () => event(progress(token))),
  other: () => times(400, () => event(OTHER)),
  messages: () => times(400, () => event(CHANGED)),
  responses: () => times(400, () => event(LATE)),
  requests: () => times(400, () => event(PING)),
  comments: () => Buffer.from(`:${"x".repeat(64 * KIB)}\n`),
  newlines: () => Buffer.alloc(64 * KIB, "\n"),
  "data-lines": () => Buffer.from("data:\n".repeat(10_000)),
  "pinned-chunks": () => Buffer.from(`data:x\n:${"x".repeat(64 * KIB - 9)}\n`),
};
const LINES = {
  progress: ({ token }) => times(400, () => text(progress(token))),
  other: () => times(400, () => text(OTHER)),
  responses: () => times(400, () => text(LATE)),
  requests: () => times(400, () => text(PING)),
  strays: () => Buffer.from("listening on port 1\n".repeat(2_000)),
  "one-line": () => Buffer.alloc(64 * KIB, "x"),
};
const TOOLS = [...new Set([...Object.keys(STREAMS), ...Object.keys(LINES)]), "after", "bytewise", "stderr", "calm"];
const ABOUT = { serverInfo: { name: "floods", version: "1.0.0" }, ttlMs: 60_000, cacheScope: "private" };
const RESULTS = {
  "server/discover": {
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    ...ABOUT,
  },
  "tools/list": {
    resultType: "complete",
    tools: TOOLS.map((name) => ({ name, inputSchema: { type: "object" } })),
    ttlMs: 60_000,
    cacheScope: "private",
  },
};

let sent = 0;

/** Writes the same bytes for ever, as fast as they are taken. */
function forEver(output, bytes) {
  const go = () => {
    while (!output.destroyed) {
      sent += bytes.length;
      if (!output.write(bytes)) return void output.once("drain", go);
    }
  };
  go();
}

/** Writes one byte after the other, each as a piece of its own. */
function bytewise(response) {
  response.socket.setNoDelay(true);
  response.writeHead(200, { "content-type": "application/json" });
  const piece = Buffer.from("1\r\nx\r\n".repeat(10_000));
  response.flushHeaders();
  forEver(response.socket, piece);
}

function readCall({ params }) {
  return { tool: params?.name, token: params?._meta?.progressToken ?? 1 };
}

function answerHttp(message, response) {
  const { id, method } = message;
  const json = (result) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(rpc({ id, result })));
  };
  if (id === undefined) return void response.writeHead(202).end();
  if (method !== "tools/call") return json(RESULTS[method] ?? {});
  const call = readCall(message);
  if (call.tool === "bytewise") return bytewise(response);
  if (call.tool === "calm") return json(OK);
  response.writeHead(200, { "content-type": "text/event-stream" });
  if (call.tool === "after") {
    response.write(event(rpc({ id, result: OK })));
    return forEver(response, STREAMS.other());
  }
  forEver(response, STREAMS[call.tool](call));
}

function answerLine(message) {
  const { id, method } = message;
  if (id === undefined || method === undefined) return;
  const answer = (result) => process.stdout.write(text(rpc({ id, result })));
  if (method !== "tools/call") return answer(RESULTS[method] ?? {});
  const call = readCall(message);
  if (call.tool === "calm") return answer(OK);
  if (call.tool === "stderr")
    return forEver(process.stderr, Buffer.from("a line of the log, not a short one\n".repeat(1_000)));
  forEver(process.stdout, LINES[call.tool](call));
}

if (process.argv[2] === "http") {
  const server = createServer(async (request, response) => {
    response.on("error", () => {});
    if (request.url === "/sent") return void response.end(String(sent));
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    answerHttp(JSON.parse(Buffer.concat(chunks).toString()), response);
  });
  server.listen(0, "127.0.0.1", () => console.log(server.address().port));
} else {
  let rest = "";
  process.stdin.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) answerLine(JSON.parse(line));
  });
}
process.stdin.on("end", () => process.exit()).resume();
