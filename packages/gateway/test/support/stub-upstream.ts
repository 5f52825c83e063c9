import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { onTestFinished } from "vitest";

/** A request as it arrived at a stub: its bytes, not what a parser made of them. */
interface Received {
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

/** An HTTP server in place of an MCP server. It never parses what it gets. */
export interface StubUpstream {
  readonly url: URL;
  /** What arrived, the first first; requests for lists and for the handshake are left out. */
  readonly received: readonly Received[];
  /** The methods of the requests that were left out. */
  readonly prepared: readonly string[];
  close(): Promise<void>;
}

/** Answers a request; the text of its `id`, as it was sent, is given. */
export type StubAnswer = (
  request: Received & { readonly id: string; readonly incoming: IncomingMessage },
  response: ServerResponse,
) => void | Promise<void>;

const ID = /"id":\s*("(?:[^"\\]|\\.)*"|-?[\d.eE+-]+)/;
const METHOD = /"method":\s*"([^"]*)"/;

/** The progress token in the text of a request, as JSON. */
export function tokenIn(text: string): string {
  return /"progressToken":("[^"]*"|[\d.]+)/.exec(text)?.[1] ?? "null";
}

const DISCOVERED = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
  serverInfo: { name: "stub", version: "1.0.0" },
  ttlMs: 60_000,
  cacheScope: "private",
};

/** A tool as it is listed, or its name where its schema does not matter. */
type StubTool = string | { readonly name: string; readonly inputSchema: object };

/** Answers for requests that every client makes before its first call. */
const preparedFor = (tools: readonly StubTool[]): Readonly<Record<string, object>> => ({
  "server/discover": DISCOVERED,
  "tools/list": {
    resultType: "complete",
    tools: tools.map((tool) => (typeof tool === "string" ? { name: tool, inputSchema: { type: "object" } } : tool)),
    ttlMs: 60_000,
    cacheScope: "private",
  },
});

/** The answer of a tool that said "ok". */
export const OK = '{"resultType":"complete","content":[{"type":"text","text":"ok"}]}';

/** Answers with a JSON-RPC response around the text of a result. */
export function answerWith(result: string): StubAnswer {
  return ({ id }, response) => sendJson(response, `{"jsonrpc":"2.0","id":${id},"result":${result}}`);
}

export function sendJson(response: ServerResponse, body: string, status = 200): void {
  response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(body) });
  response.end(body);
}

/** Starts a stub whose tools answer as given, and closes it when the test has ended. */
export async function startStubUpstream(answer?: StubAnswer, tools?: readonly StubTool[]): Promise<StubUpstream> {
  const stub = await serveStub(answer, tools);
  onTestFinished(() => stub.close());
  return stub;
}

/** Starts a stub for several tests. */
export async function serveStub(
  answer: StubAnswer = answerWith(OK),
  tools: readonly StubTool[] = ["echo"],
): Promise<StubUpstream> {
  const results = preparedFor(tools);
  const received: Received[] = [];
  const prepared: string[] = [];
  const server = createServer((incoming, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const text = Buffer.concat(chunks).toString();
      const id = ID.exec(text)?.[1] ?? "0";
      const method = METHOD.exec(text)?.[1] ?? "";
      const result = results[method];
      if (result !== undefined) {
        prepared.push(method);
        sendJson(response, `{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`);
        return;
      }
      const request = { headers: incoming.headers, text };
      received.push(request);
      await answer({ ...request, id, incoming }, response);
    })().catch(() => response.destroy());
  });
  return { ...(await listenOnLoopback(server)), received, prepared };
}
