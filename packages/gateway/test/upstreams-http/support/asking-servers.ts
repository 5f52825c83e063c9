// Servers of the official SDK with sessions whose tools ask their client, of version 1 and 2, in the older era.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { ElicitResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import { type LoopbackServer, listenOnLoopback } from "@recourse/test-kit/loopback";
import * as z from "zod";

const INFO = { name: "shop", version: "1.0.0" };
const OPTIONS = { capabilities: { logging: {}, resources: { subscribe: true } } };
const FORM = {
  mode: "form" as const,
  message: "Which size?",
  requestedSchema: { type: "object" as const, properties: { size: { type: "number" as const } } },
};
const SAMPLE = { messages: [{ role: "user" as const, content: { type: "text" as const, text: "Hi" } }], maxTokens: 9 };

/** A running server. */
export interface AskingServer extends LoopbackServer {
  /** The HTTP requests that arrived: method, and status of the answer. */
  readonly seen: { readonly method: string; status: number }[];
  /** How many streams beside answers are open now. */
  streams(): number;
  /** Sends to all sessions that a resource has changed. */
  update(): Promise<void>;
  /** Forgets all sessions, as a restart does. */
  forget(): void;
}

const text = (value: unknown) => ({ content: [{ type: "text" as const, text: JSON.stringify(value) }] });
const failed = (error: unknown) => text({ failed: (error as { code?: number }).code ?? String(error) });

/** The tools of version 1. Those named "far_…" ask without saying for which call. */
function buildV1(): McpServerV1 {
  const mcp = new McpServerV1(INFO, OPTIONS);
  const { server } = mcp;
  mcp.registerTool("elicit", {}, (extra) =>
    extra.sendRequest({ method: "elicitation/create", params: FORM }, ElicitResultSchema).then(text, failed),
  );
  mcp.registerTool("far_elicit", {}, () => server.elicitInput(FORM).then(text, failed));
  mcp.registerTool("far_sample", {}, () => server.createMessage(SAMPLE).then(text, failed));
  mcp.registerTool("far_roots", {}, () => server.listRoots().then(text, failed));
  mcp.registerTool("both", {}, async () => {
    const [one, other] = await Promise.all([server.elicitInput(FORM), server.listRoots()]);
    return text([one, other]);
  });
  mcp.registerTool("capabilities", {}, () => text(server.getClientCapabilities()));
  mcp.registerTool("log", {}, async (extra) => {
    for (const level of ["debug", "error"] as const) {
      await mcp.sendLoggingMessage({ level, data: level }, extra.sessionId);
    }
    // They go out on another connection than the answer: who answers this one has read them.
    await server.ping();
    return text("logged");
  });
  mcp.registerTool("echo", { inputSchema: { text: z.string() } }, (args) => text(args.text));
  return mcp;
}

function buildV2(): McpServerV2 {
  const mcp = new McpServerV2(INFO, OPTIONS);
  const { server } = mcp;
  const none = { inputSchema: z.object({}) };
  mcp.registerTool("elicit", none, (_args, context) => context.mcpReq.elicitInput(FORM).then(text, failed));
  mcp.registerTool("far_elicit", none, () => server.elicitInput(FORM).then(text, failed));
  mcp.registerTool("far_sample", none, () => server.createMessage(SAMPLE).then(text, failed));
  mcp.registerTool("far_roots", none, () => server.listRoots().then(text, failed));
  return mcp;
}

interface Session {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  update(): Promise<void>;
}

type OpenSession = (onOpen: (id: string) => void) => Promise<Session>;

async function openV1(onOpen: (id: string) => void): Promise<Session> {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: onOpen,
  });
  const mcp = buildV1();
  await mcp.connect(transport as never);
  return {
    handle: (request, response) => transport.handleRequest(request, response),
    update: () => mcp.server.sendResourceUpdated({ uri: "shop://stock" }),
  };
}

async function openV2(onOpen: (id: string) => void): Promise<Session> {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: onOpen,
  });
  const mcp = buildV2();
  await mcp.connect(transport);
  return {
    handle: (request, response) => transport.handleRequest(request, response),
    update: () => mcp.server.sendResourceUpdated({ uri: "shop://stock" }),
  };
}

async function startAsking(open: OpenSession): Promise<AskingServer> {
  const sessions = new Map<string, Session>();
  const seen: { method: string; status: number }[] = [];
  let streams = 0;
  const server = createServer(async (request, response) => {
    const entry = { method: request.method ?? "", status: 0 };
    seen.push(entry);
    response.once("close", () => {
      entry.status = response.statusCode;
    });
    if (request.method === "GET") {
      streams += 1;
      response.once("close", () => {
        streams -= 1;
      });
    }
    const id = request.headers["mcp-session-id"] as string | undefined;
    const known = id === undefined ? undefined : sessions.get(id);
    if (known !== undefined) await known.handle(request, response);
    else if (id !== undefined) {
      response.writeHead(404, { "content-type": "application/json" });
      response.end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}');
    } else {
      const session: Session = await open((created) => void sessions.set(created, session));
      await session.handle(request, response);
    }
  });
  return {
    ...(await listenOnLoopback(server)),
    seen,
    streams: () => streams,
    update: async () => void (await Promise.all([...sessions.values()].map((session) => session.update()))),
    forget: () => sessions.clear(),
  };
}

/** Servers by the version of the SDK. */
export const startAskingServer = {
  v1: () => startAsking(openV1),
  v2: () => startAsking(openV2),
} as const;
