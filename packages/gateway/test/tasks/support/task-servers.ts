// Servers with tasks: the official SDK in the older era, and a stub in the newer, since no SDK has its tasks.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { CreateTaskResultSchema } from "@modelcontextprotocol/sdk/types.js";
import { eventually } from "@recourse/test-kit/eventually";
import { type LoopbackServer, listenOnLoopback } from "@recourse/test-kit/loopback";
import { onTestFinished } from "vitest";
import type { UpstreamConfig } from "../../../src/config/types.ts";
import { stdioUpstream } from "../../support/config.ts";
import { ownFetch } from "../../support/own-fetch.ts";
import { modernHeaders, post, type RawAnswer } from "../../support/post.ts";
import { buildTaskServer, createTaskParts } from "./task-tools.ts";

/** A server of the older era with sessions. */
export interface OlderTaskServer extends LoopbackServer {
  /** The sessions that calls came in. */
  readonly calls: readonly (string | undefined)[];
  /** Completes the tasks that wait to be told so. */
  tell(): void;
}

/** Starts a server of version 1 of the SDK, with a session for each client and one store of tasks for all of them. */
export async function startOlderTaskServer(): Promise<OlderTaskServer> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const parts = createTaskParts();
  const server = createServer(async (request, response) => {
    const id = request.headers["mcp-session-id"] as string | undefined;
    const known = sessions.get(id ?? "");
    if (known !== undefined) {
      await known.handleRequest(request, response);
      return;
    }
    if (id !== undefined) {
      response.writeHead(404).end();
      return;
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (created) => void sessions.set(created, transport),
    });
    await buildTaskServer(parts).connect(transport as never);
    await transport.handleRequest(request, response);
  });
  const listening = await listenOnLoopback(server);
  onTestFinished(async () => {
    parts.taskStore.cleanup();
    await listening.close();
  });
  return { ...listening, calls: parts.calls, tell: parts.tell };
}

/** An upstream that is a process of the SDK with tasks. */
export function taskChild(changes: Partial<Extract<UpstreamConfig, { kind: "stdio" }>> = {}): UpstreamConfig {
  const command = [process.execPath, "--no-warnings", new URL("task-child.ts", import.meta.url).pathname] as const;
  return stdioUpstream(command, { name: "child", prefix: "child__", per: "caller", maxChildren: 8, ...changes });
}

/** What a client of the SDK is started with. */
interface OlderClientOptions {
  readonly credential?: string | undefined;
  readonly capabilities?: object;
}

/** A client of version 1 of the SDK, connected to a gateway. */
export async function connectOlder(
  url: URL,
  { credential, capabilities = {} }: OlderClientOptions = {},
): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" }, { capabilities });
  const headers: Record<string, string> = credential === undefined ? {} : { authorization: `Bearer ${credential}` };
  await client.connect(
    new StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch: ownFetch() }) as never,
  );
  onTestFinished(() => client.close());
  return client;
}

/** Calls a tool as a task. */
export async function startTask(client: Client, name: string, args: object = {}): Promise<string> {
  const params = { name, arguments: args, task: { ttl: 60_000 } };
  const { task } = await client.request({ method: "tools/call", params } as never, CreateTaskResultSchema);
  return task.taskId;
}

/** Polls a task until it has ended. */
export function untilEnded(client: Client, taskId: string): Promise<{ status: string; statusMessage?: string }> {
  return eventually(async () => {
    const task = await client.experimental.tasks.getTask(taskId);
    if (task.status === "working" || task.status === "input_required") throw new Error(`the task is ${task.status}`);
    return task as { status: string; statusMessage?: string };
  });
}

/** A request as it arrived at the stub. */
interface StubRequest {
  readonly method: string;
  readonly params: Record<string, unknown>;
  readonly headers: IncomingHttpHeaders;
  readonly id: unknown;
}

export const DISCOVERED = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {}, extensions: { "io.modelcontextprotocol/tasks": {} } },
  serverInfo: { name: "stub", version: "1.0.0" },
  ttlMs: 60_000,
  cacheScope: "private",
};

const LISTED = {
  resultType: "complete",
  tools: [{ name: "slow", inputSchema: { type: "object" } }],
  ttlMs: 60_000,
  cacheScope: "private",
};

/** A server of the newer era. */
export interface NewerTaskServer extends LoopbackServer {
  readonly received: readonly StubRequest[];
}

/** The seed of every task. */
export const SEED = { createdAt: "2026-01-01T00:00:00Z", lastUpdatedAt: "2026-01-01T00:00:00Z", ttlMs: 60_000 };

/** What a stub answers with: a result, also as the text of its JSON, or an error. */
export type StubOutcome = { readonly result: unknown } | { readonly text: string } | { readonly error: unknown };

/** Starts a stub of the newer era. `answer` answers every request but those for lists. */
export async function startNewerTaskServer(answer: (request: StubRequest) => StubOutcome): Promise<NewerTaskServer> {
  const received: StubRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { id, method, params = {} } = JSON.parse(Buffer.concat(chunks).toString()) as StubRequest;
    const prepared = { "server/discover": DISCOVERED, "tools/list": LISTED }[method];
    const request = { id, method, params, headers: incoming.headers };
    if (prepared === undefined) received.push(request);
    const outcome = prepared === undefined ? answer(request) : { result: prepared };
    const member = "text" in outcome ? `"result":${outcome.text}` : JSON.stringify(outcome).slice(1, -1);
    response.writeHead(200, { "content-type": "application/json" });
    response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${member}}`);
  });
  const listening = await listenOnLoopback(server);
  onTestFinished(() => listening.close());
  return { ...listening, received };
}

/** The `_meta` of a caller that knows tasks. */
export const KNOWS_TASKS = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": { extensions: { "io.modelcontextprotocol/tasks": {} } },
};

/** One request of the newer era. */
interface NewerRequest {
  readonly credential?: string | undefined;
  readonly meta?: object;
  readonly id?: number;
}

/** Sends one request of the newer era. The name in the header is that of the tool or the task. */
export function askNewer(
  url: URL,
  method: string,
  params: Readonly<Record<string, unknown>>,
  { credential, meta = KNOWS_TASKS, id = 1 }: NewerRequest = {},
): Promise<RawAnswer> {
  const name = params["taskId"] ?? params["name"];
  const body = JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } });
  const headers = modernHeaders(method, typeof name === "string" ? name : undefined);
  return post(url, body, credential === undefined ? headers : { ...headers, authorization: `Bearer ${credential}` });
}
