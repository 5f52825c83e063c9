// Servers of the official SDKs with resources that can be followed, over HTTP and as processes.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import {
  RootsListChangedNotificationSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { onTestFinished } from "vitest";
import type { UpstreamConfig } from "../../../src/config/types.ts";
import { peerV2 } from "../../catalog/support/peers.ts";
import { httpUpstream, stdioUpstream } from "../../support/config.ts";

/** A server with the resources `doc://one` and `doc://two`, and the tool `look`. */
export interface DocumentPeer {
  readonly upstream: UpstreamConfig;
  /** Tells those who follow a resource that it has changed. */
  update(uri: string): void;
  /** Lists one tool more, and says so. */
  addTool(name: string): void;
  /** The resources that are followed now, once for each session. */
  followed(): readonly string[];
}

/** What is known of a server with sessions. */
interface OlderFacts {
  /** How many sessions are open. */
  sessions(): number;
  /** How often clients said that their roots have changed. */
  rootsChanged(): number;
}

const DOCUMENTS = ["doc://one", "doc://two"] as const;
const LOOK = () => ({ content: [{ type: "text" as const, text: "seen" }] });

/** SDK version 1 over HTTP, with sessions. Each session has what it follows. */
export async function olderPeer(
  name = "older",
  { refused = [] }: { readonly refused?: readonly string[] } = {},
): Promise<DocumentPeer & OlderFacts> {
  let rootsChanged = 0;
  const sessions = new Map<
    string,
    { readonly server: McpServer; readonly uris: Set<string>; close(): Promise<void> }
  >();
  const tools = new Set(["look"]);
  const build = () => {
    const uris = new Set<string>();
    const server = new McpServer({ name, version: "1.0.0" }, { capabilities: { resources: { subscribe: true } } });
    for (const tool of tools) server.registerTool(tool, {}, LOOK);
    for (const uri of DOCUMENTS) server.registerResource(uri, uri, {}, () => ({ contents: [{ uri, text: "text" }] }));
    server.server.setNotificationHandler(RootsListChangedNotificationSchema, () => {
      rootsChanged += 1;
    });
    server.server.setRequestHandler(SubscribeRequestSchema, ({ params }) => {
      if (refused.includes(params.uri)) throw new Error("not this one");
      uris.add(params.uri);
      return {};
    });
    server.server.setRequestHandler(UnsubscribeRequestSchema, ({ params }) => {
      uris.delete(params.uri);
      return {};
    });
    return { server, uris };
  };
  const http = createServer(async (request, response) => {
    const id = request.headers["mcp-session-id"] as string | undefined;
    const known = id === undefined ? undefined : sessions.get(id);
    if (known !== undefined) {
      await (known as unknown as { transport: StreamableHTTPServerTransport }).transport.handleRequest(
        request,
        response,
      );
      return;
    }
    if (id !== undefined) {
      response.writeHead(404, { "content-type": "application/json" });
      response.end('{"jsonrpc":"2.0","error":{"code":-32001,"message":"Session not found"},"id":null}');
      return;
    }
    const { server, uris } = build();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (created) => {
        const session = { server, uris, transport, close: () => server.close() };
        sessions.set(created, session);
      },
      onsessionclosed: (closed) => void sessions.delete(closed),
    });
    await server.connect(transport as never);
    await transport.handleRequest(request, response);
  });
  const listening = await listenOnLoopback(http);
  onTestFinished(() => listening.close());
  return {
    upstream: httpUpstream(listening.url, { name, prefix: `${name}__`, era: "2025-11-25" }),
    update(uri) {
      for (const { server, uris } of sessions.values()) {
        if (uris.has(uri)) void server.server.sendResourceUpdated({ uri });
      }
    },
    addTool(tool) {
      tools.add(tool);
      for (const { server } of sessions.values()) server.registerTool(tool, {}, LOOK);
    },
    sessions: () => sessions.size,
    rootsChanged: () => rootsChanged,
    followed: () => [...sessions.values()].flatMap(({ uris }) => [...uris]),
  };
}

/** SDK version 2 over HTTP, of the newer era. */
export async function newerPeer(name = "newer"): Promise<DocumentPeer & { restart(): Promise<void> }> {
  const tools = new Set(["look"]);
  const peer = await peerV2(
    (server) => {
      for (const tool of tools) server.registerTool(tool, {}, LOOK);
      for (const uri of DOCUMENTS) server.registerResource(uri, uri, {}, () => ({ contents: [{ uri, text: "text" }] }));
    },
    { resources: { subscribe: true, listChanged: true } },
  );
  onTestFinished(() => peer.close());
  return {
    upstream: httpUpstream(peer.url, { name, prefix: `${name}__` }),
    async restart() {
      await peer.close();
      await peer.open();
    },
    update: (uri) => peer.notify.resourceUpdated(uri),
    addTool(tool) {
      tools.add(tool);
      peer.notify.toolsChanged();
    },
    followed: () => [],
  };
}

/** A server as a process. Its tools `update` and `followed` stand for what happens in it. */
export function processPeer(
  name: string,
  { per = "replica", child = "document-child.mjs" }: { per?: "replica" | "caller"; child?: string } = {},
): UpstreamConfig {
  const command = [process.execPath, fileURLToPath(new URL(child, import.meta.url))] as const;
  return stdioUpstream(command, { name, prefix: `${name}__`, per });
}
