// A server that asks its client before it answers, with the official SDK. Usage: node asking-server.ts older|newer|stdio
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { McpServer as OlderServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CreateMessageResultSchema,
  ElicitResultSchema,
  ListRootsResultSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { createMcpHandler, inputRequired, McpServer as NewerServer } from "@modelcontextprotocol/server";
import { listenOnLoopback, readWebRequest } from "@recourse/test-kit/loopback";
import { z } from "zod";

const SCHEMA = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;
const elicitation = (nonce: string) => ({ message: `Which city? ${nonce}`, requestedSchema: SCHEMA });
const sampling = (nonce: string) => ({
  messages: [{ role: "user" as const, content: { type: "text" as const, text: `Name a city. ${nonce}` } }],
  maxTokens: 20,
});
const say = (nonce: string, answer: unknown) => ({
  content: [{ type: "text" as const, text: JSON.stringify({ nonce, answer }) }],
});

/** Older servers ask while they work: on the stream of the call, or on that of the session. */
function olderServer(): OlderServer {
  const server = new OlderServer({ name: "asking", version: "1.0.0" });
  const tool = server.registerTool.bind(server);
  const inputSchema = { nonce: z.string() };
  tool("elicit", { inputSchema }, async ({ nonce }, { sendRequest }) =>
    say(
      nonce,
      await sendRequest({ method: "elicitation/create", params: elicitation(nonce) as never }, ElicitResultSchema),
    ),
  );
  tool("elicit_unrelated", { inputSchema }, async ({ nonce }) =>
    say(nonce, await server.server.elicitInput(elicitation(nonce) as never)),
  );
  tool("sample", { inputSchema }, async ({ nonce }, { sendRequest }) =>
    say(
      nonce,
      await sendRequest({ method: "sampling/createMessage", params: sampling(nonce) }, CreateMessageResultSchema),
    ),
  );
  tool("roots", { inputSchema }, async ({ nonce }, { sendRequest }) =>
    say(nonce, await sendRequest({ method: "roots/list" }, ListRootsResultSchema)),
  );
  return server;
}

/** Newer servers ask by their answer. */
function newerServer(): NewerServer {
  const server = new NewerServer({ name: "asking", version: "1.0.0" });
  const inputSchema = z.object({ nonce: z.string() });
  const asking = (name: string, question: (nonce: string) => unknown) =>
    server.registerTool(name, { inputSchema }, (({ nonce }: { nonce: string }, context: AskingContext) => {
      const answer = context.mcpReq.inputResponses?.["q"];
      if (answer !== undefined) return say(nonce, answer);
      return inputRequired({ inputRequests: { q: question(nonce) as never } });
    }) as never);
  asking("elicit", (nonce) => inputRequired.elicit(elicitation(nonce) as never));
  asking("sample", (nonce) => inputRequired.createMessage(sampling(nonce)));
  asking("roots", () => inputRequired.listRoots());
  return server;
}

interface AskingContext {
  readonly mcpReq: { readonly inputResponses?: Readonly<Record<string, unknown>> };
}

async function serveOlder(): Promise<URL> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (known !== undefined) return known.handleRequest(request, response);
    if (id !== undefined) {
      response.writeHead(404, { "content-type": "application/json" });
      response.end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}');
      return;
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => void sessions.set(session, transport),
    });
    await olderServer().connect(transport as never);
    await transport.handleRequest(request, response);
  };
  return (await listenOnLoopback(createServer((request, response) => void handle(request, response)))).url;
}

async function serveNewer(): Promise<URL> {
  const handler = createMcpHandler(() => newerServer(), { legacy: "reject" });
  const server = createServer(async (incoming, outgoing) => {
    const answer = await handler.fetch(await readWebRequest(incoming));
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers));
    outgoing.end(Buffer.from(await answer.arrayBuffer()));
  });
  return (await listenOnLoopback(server)).url;
}

process.on("disconnect", () => process.exit(0));
if (process.argv[2] === "stdio") await olderServer().connect(new StdioServerTransport());
else process.send?.({ url: (await (process.argv[2] === "older" ? serveOlder() : serveNewer())).href });
