// One server for every cell of the table of methods, with the official SDK: version 1 for the older era, version 2 for the newer,
// each over HTTP and stdio. Usage as a process: node matrix-peer.ts older|newer <name>
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { completable as olderCompletable } from "@modelcontextprotocol/sdk/server/completable.js";
import { McpServer as OlderServer, ResourceTemplate as OlderTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  CreateMessageResultSchema,
  ElicitResultSchema,
  ListRootsResultSchema,
  RootsListChangedNotificationSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import {
  completable,
  createMcpHandler,
  inputRequired,
  McpServer as NewerServer,
  ResourceTemplate as NewerTemplate,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { type LoopbackServer, listenOnLoopback } from "@recourse/test-kit/loopback";
import { z } from "zod";

const QUESTION = {
  message: "Which city?",
  requestedSchema: { type: "object", properties: { city: { type: "string" } } },
};
const PROMPT = { messages: [{ role: "user", content: { type: "text", text: "Name a city" } }], maxTokens: 10 };
const say = (text: unknown) => ({ content: [{ type: "text" as const, text: JSON.stringify(text) }] });
const note = (uri: string) => ({ contents: [{ uri, text: "note" }] });
const cancelled = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

/** What calls of one server have seen. */
class Seen {
  begun = 0;
  cancelled = 0;
  rootsChanged = 0;
}

function olderPeer(name: string, seen: Seen): OlderServer {
  const capabilities = { logging: {}, resources: { subscribe: true, listChanged: true }, tools: { listChanged: true } };
  const server = new OlderServer({ name, version: "1.0.0" }, { capabilities });
  server.registerTool("echo", {}, () => say("echo"));
  server.registerTool("elicit", {}, async ({ sendRequest }) =>
    say(await sendRequest({ method: "elicitation/create", params: QUESTION } as never, ElicitResultSchema)),
  );
  server.registerTool("sample", {}, async ({ sendRequest }) =>
    say(await sendRequest({ method: "sampling/createMessage", params: PROMPT } as never, CreateMessageResultSchema)),
  );
  server.registerTool("roots", {}, async ({ sendRequest }) =>
    say(await sendRequest({ method: "roots/list" }, ListRootsResultSchema)),
  );
  server.registerTool("chat", {}, async ({ sendNotification, _meta }) => {
    const progressToken = _meta?.progressToken ?? "";
    await sendNotification({ method: "notifications/message", params: { level: "error", data: `log of ${name}` } });
    await sendNotification({ method: "notifications/progress", params: { progressToken, progress: 1 } });
    return say("chat");
  });
  server.registerTool("touch", {}, async () => {
    await server.server.sendResourceUpdated({ uri: `note://${name}` });
    return say("touch");
  });
  server.registerTool("grow", {}, () => {
    server.registerTool(`grown-${randomUUID()}`, {}, () => say("grown"));
    return say("grow");
  });
  server.registerTool("slow", {}, async ({ signal }) => {
    seen.begun += 1;
    await cancelled(signal);
    seen.cancelled += 1;
    return say("slow");
  });
  server.registerTool("seen", {}, () => say(seen));
  const argsSchema = { city: olderCompletable(z.string(), () => ["Berlin"]) };
  server.registerPrompt("greet", { argsSchema }, () => ({ messages: [] }));
  server.registerResource("note", `note://${name}`, {}, () => note(`note://${name}`));
  server.registerResource("notes", new OlderTemplate(`notes://${name}/{id}`, { list: undefined }), {}, (uri) =>
    note(uri.href),
  );
  server.server.setRequestHandler(SubscribeRequestSchema, () => ({}));
  server.server.setRequestHandler(UnsubscribeRequestSchema, () => ({}));
  server.server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
    seen.rootsChanged += 1;
  });
  return server;
}

/** Tells listeners of a server of the newer era about changes. */
interface Notify {
  toolsChanged(): void;
  resourceUpdated(uri: string): void;
}

function newerPeer(name: string, seen: Seen, notify: (server: NewerServer) => Notify, grown: string[]): NewerServer {
  const capabilities = { logging: {}, resources: { subscribe: true, listChanged: true }, tools: { listChanged: true } };
  const server = new NewerServer({ name, version: "1.0.0" }, { capabilities });
  const ask = (tool: string, question: () => unknown) =>
    server.registerTool(tool, {}, ((context: NewerContext) => {
      const answer = context.mcpReq.inputResponses?.["q"];
      return answer === undefined ? inputRequired({ inputRequests: { q: question() as never } }) : say(answer);
    }) as never);
  for (const tool of grown) server.registerTool(tool, {}, () => say("grown"));
  server.registerTool("echo", {}, () => say("echo"));
  ask("elicit", () => inputRequired.elicit(QUESTION as never));
  ask("sample", () => inputRequired.createMessage(PROMPT as never));
  ask("roots", () => inputRequired.listRoots());
  server.registerTool("chat", {}, (async ({ mcpReq }: NewerContext) => {
    const progressToken = mcpReq._meta?.["progressToken"] ?? "";
    await mcpReq.log("error", `log of ${name}`);
    await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1 } });
    return say("chat");
  }) as never);
  server.registerTool("touch", {}, () => {
    notify(server).resourceUpdated(`note://${name}`);
    return say("touch");
  });
  server.registerTool("grow", {}, () => {
    grown.push(`grown-${randomUUID()}`);
    notify(server).toolsChanged();
    return say("grow");
  });
  server.registerTool("slow", {}, (async ({ mcpReq: { signal } }: NewerContext) => {
    seen.begun += 1;
    await cancelled(signal);
    seen.cancelled += 1;
    return say("slow");
  }) as never);
  server.registerTool("seen", {}, () => say(seen));
  const argsSchema = z.object({ city: completable(z.string(), () => ["Berlin"]) });
  server.registerPrompt("greet", { argsSchema }, () => ({ messages: [] }));
  server.registerResource("note", `note://${name}`, {}, () => note(`note://${name}`));
  server.registerResource("notes", new NewerTemplate(`notes://${name}/{id}`, { list: undefined }), {}, (uri) =>
    note(uri.href),
  );
  return server;
}

interface NewerContext {
  readonly mcpReq: {
    readonly _meta?: Readonly<Record<string, unknown>>;
    readonly signal: AbortSignal;
    readonly inputResponses?: Readonly<Record<string, unknown>>;
    notify(notification: object): Promise<void>;
    log(level: string, data: unknown): Promise<void>;
  };
}

/** Serves the older era over HTTP, with sessions. */
export function startOlderPeer(name: string): Promise<LoopbackServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const seen = new Seen();
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? sessions.get(id) : undefined;
    if (known !== undefined) return known.handleRequest(request, response);
    if (id !== undefined) return void response.writeHead(404).end();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (session) => void sessions.set(session, transport),
    });
    await olderPeer(name, seen).connect(transport as never);
    await transport.handleRequest(request, response);
  };
  return listenOnLoopback(createServer((request, response) => void handle(request, response)));
}

/** Serves the newer era over HTTP. */
export function startNewerPeer(name: string): Promise<LoopbackServer> {
  const seen = new Seen();
  const grown: string[] = [];
  const handler = createMcpHandler(() => newerPeer(name, seen, () => handler.notify, grown), { legacy: "reject" });
  const serve = toNodeHandler(handler);
  return listenOnLoopback(createServer((request, response) => void serve(request as never, response)));
}

function serveChild(era: string, name: string): void {
  const seen = new Seen();
  const grown: string[] = [];
  const notify = ({ server }: NewerServer): Notify => ({
    toolsChanged: () => void server.sendToolListChanged(),
    resourceUpdated: (uri) => void server.sendResourceUpdated({ uri }),
  });
  if (era === "older") void olderPeer(name, seen).connect(new StdioServerTransport());
  else serveStdio(() => newerPeer(name, seen, notify, grown));
}

if (import.meta.main) serveChild(process.argv[2] ?? "", process.argv[3] ?? "");
