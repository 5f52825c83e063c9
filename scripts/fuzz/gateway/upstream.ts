// An upstream whose answers are mutated: bodies, statuses, headers, streams, and connections that break.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { mutateBytes, mutateJson } from "./mutate.ts";
import { type NoticeFacts, noticesOf } from "./notices.ts";
import type { Random } from "./random.ts";

const CACHED = { ttlMs: 60_000, cacheScope: "private" };
const LISTS: Readonly<Record<string, object>> = {
  "server/discover": {
    resultType: "complete",
    supportedVersions: ["2026-07-28"],
    serverInfo: { name: "fuzz", version: "1.0.0" },
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    ...CACHED,
  },
  "tools/list": { resultType: "complete", tools: [{ name: "echo", inputSchema: { type: "object" } }], ...CACHED },
  "resources/list": { resultType: "complete", resources: [{ uri: "file:///a", name: "a" }], ...CACHED },
  "resources/templates/list": { resultType: "complete", resourceTemplates: [], ...CACHED },
  "prompts/list": { resultType: "complete", prompts: [{ name: "ask" }], ...CACHED },
};

/** Answers to calls, before they are mutated. */
const ANSWERS: readonly object[] = [
  { result: { resultType: "complete", content: [{ type: "text", text: "fine" }], structuredContent: { a: 1 } } },
  { result: { resultType: "complete", content: [{ type: "text", text: "not found" }], isError: true } },
  { result: { resultType: "complete", content: [{ type: "text", text: '{"success":false,"error":"no"}' }] } },
  { result: { resultType: "input_required", inputRequests: { a: { method: "elicitation/create", params: {} } } } },
  { result: { resultType: "complete", contents: [{ uri: "file:///a", text: "x" }] } },
  { error: { code: -32_602, message: "Invalid params", data: { field: "a" } } },
  { error: { code: -32_001, message: "Slow down", data: { retryAfter: 3 } } },
  { error: { code: -32_000, message: "Failed", data: { "recourse/fault": { v: 1, reason: "core/internal" } } } },
];
/** An answer of a server that shows what it was sent, its credential too. */
const echoOf = ({ headers }: IncomingMessage): object => ({
  result: { resultType: "complete", content: [{ type: "text", text: JSON.stringify(headers) }] },
});
const STATUSES = [200, 200, 200, 200, 200, 202, 204, 301, 400, 401, 404, 429, 500, 503];
const TYPES = ["application/json", "application/json", "application/json", "text/event-stream", "text/html", ""];
const HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { "retry-after": "-5" },
  { "retry-after": "99999999999999999999" },
  { "mcp-session-id": "x".repeat(500) },
  { "content-encoding": "gzip" },
  { location: "http://127.0.0.1:1/" },
  { "www-authenticate": "Bearer x=\u00ff" },
];

/** The progress token in a request, as JSON. */
const TOKEN = /"progressToken":("[^"]*"|\d+)/;

export interface FuzzedUpstream {
  readonly server: Server;
  /** How many answers were sent. */
  answered(): number;
}

/** Makes the upstream. A call whose arguments are `{"good":true}` gets a good answer. */
export function createFuzzedUpstream(random: Random): FuzzedUpstream {
  let answered = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("error", () => undefined);
    response.on("error", () => undefined);
    request.on("end", () => {
      answered += 1;
      answer(request, response, Buffer.concat(chunks).toString());
    });
  });
  return { server, answered: () => answered };

  function answer(request: IncomingMessage, response: ServerResponse, text: string): void {
    const { id, method } = JSON.parse(text) as { id?: unknown; method: string };
    if (id === undefined) {
      response.writeHead(202).end();
      return;
    }
    const list = LISTS[method];
    const isGood = list !== undefined || text.includes('"good":true');
    const given = { jsonrpc: "2.0", id, ...(list === undefined ? ANSWERS[0] : { result: list }) };
    // Lists stay good: without them there is nothing to call.
    if (isGood) response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(given));
    else misbehave(request, response, { id, token: TOKEN.exec(text)?.[1] });
  }

  function misbehave(
    request: IncomingMessage,
    response: ServerResponse,
    { id, token }: { readonly id: unknown; readonly token: string | undefined },
  ): void {
    const message = { jsonrpc: "2.0", id, ...random.pick([...ANSWERS, echoOf(request)]) };
    const json = Buffer.from(JSON.stringify(random.once(2) ? mutateJson(random, message) : message));
    switch (random.below(20)) {
      case 0:
        request.socket.destroy();
        return;
      case 1:
        // It never answers.
        return;
      case 2:
        request.socket.end(
          mutateBytes(random, Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${json.length}\r\n\r\n${json}`)),
        );
        return;
      case 3:
      case 4:
      case 5:
        stream(response, json, {
          token: token === undefined ? undefined : JSON.parse(token),
          credential: (request.headers.authorization ?? "").replace("Bearer ", ""),
        });
        return;
      default: {
        const type = random.pick(TYPES);
        const headers = { ...random.pick(HEADERS), ...(type !== "" && { "content-type": type }) };
        response.writeHead(random.pick(STATUSES), headers);
        response.end(random.once(2) ? mutateBytes(random, json) : json);
      }
    }
  }

  /** Notifications, then the answer, each perhaps broken; the stream may end too early. */
  function stream(response: ServerResponse, json: Buffer, facts: NoticeFacts): void {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(noticesOf(random, facts));
    if (random.once(6)) response.destroy();
    else response.end(random.once(5) ? "" : mutateBytes(random, Buffer.from(`event: message\ndata: ${json}\n\n`)));
  }
}
