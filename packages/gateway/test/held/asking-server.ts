// Servers of the official SDK, versions 1 and 2, that speak the older era and ask their client in the middle of a call.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import { type LoopbackServer, listenOnLoopback } from "@recourse/test-kit/loopback";
import * as z from "zod";

/** What has happened at a server. */
export interface AskingLog {
  /** The arguments of each run of `pay`. */
  readonly paid: string[];
  /** Calls that were cancelled. */
  readonly cancelled: string[];
  /** What each question came to. */
  readonly answers: string[];
  /** Calls of `slow` that wait, each with what ends it. */
  readonly slow: (() => void)[];
}

export type SdkVersion = "v1" | "v2";

/** The client in the middle of a call, whatever the version. */
interface Asking {
  elicit(message: string): Promise<unknown>;
  sample(text: string): Promise<unknown>;
  roots(): Promise<unknown>;
  notify(method: string, params: object): Promise<void>;
  readonly token: string | number | undefined;
  readonly signal: AbortSignal;
}

const FORM = { type: "object", properties: { city: { type: "string" } } } as const;
const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });

/** What a promise came to, as a text. */
async function told(log: AskingLog, asked: Promise<unknown>): Promise<string> {
  const said = await asked.then(
    (answer) => JSON.stringify(answer),
    (error: unknown) => `failed: ${(error as Error).message}`,
  );
  log.answers.push(said);
  return said;
}

/** The tools by name. */
const TOOLS: Readonly<
  Record<string, (client: Asking, args: Record<string, unknown>, log: AskingLog) => Promise<ReturnType<typeof text>>>
> = {
  async ask(client, { times = 1 }, log) {
    const said: string[] = [];
    for (let at = 1; at <= Number(times); at++) said.push(await told(log, client.elicit(`Question ${at}?`)));
    return text(said.join());
  },
  async together(client, _, log) {
    const asked = [client.elicit("Which city?"), client.sample("A word?"), client.roots()];
    return text((await Promise.all(asked.map((one) => told(log, one)))).join());
  },
  async pay(client, { to }, log) {
    log.paid.push(String(to));
    return text(`paid ${String(to)}: ${await told(log, client.elicit("Really?"))}`);
  },
  async slow(client, _, log) {
    await told(log, client.elicit("Ready?"));
    await new Promise<void>((resolve) => {
      log.slow.push(resolve);
      client.signal.addEventListener("abort", () => {
        log.cancelled.push("slow");
        resolve();
      });
    });
    return text("slow and done");
  },
  async hasty(client, _, log) {
    void told(log, client.elicit("Never mind."));
    return text("done without an answer");
  },
  async fail(client, _, log) {
    await told(log, client.elicit("Ready?"));
    throw new Error("the bank said no");
  },
  async report(client, _, log) {
    const report = async (progress: number) => {
      if (client.token === undefined) return;
      await client.notify("notifications/progress", { progressToken: client.token, progress, total: 2 });
    };
    await report(1);
    await told(log, client.elicit("Ready?"));
    await report(2);
    return text(`token ${JSON.stringify(client.token)}`);
  },
};

/** A server of one version. */
export function createAsker(version: SdkVersion, log: AskingLog): McpServerV1 | McpServerV2 {
  const info = { name: "asker", version: "1.0.0" };
  if (version === "v1") {
    const server = new McpServerV1(info);
    for (const [name, run] of Object.entries(TOOLS)) {
      server.registerTool(name, { inputSchema: ARGS }, (args, extra) => run(clientV1(extra), args, log));
    }
    // Asks beside its call: the question comes on the stream of the session.
    server.registerTool("aside", {}, async () => {
      const asked = server.server.elicitInput(
        { message: "Beside?", requestedSchema: { ...FORM, properties: {} } },
        WAIT,
      );
      return text(await told(log, asked));
    });
    server.registerPrompt("greet", {}, async (extra) => ({
      messages: [{ role: "user", content: { type: "text", text: await told(log, clientV1(extra).elicit("Name?")) } }],
    }));
    server.registerResource("file", "ask://file", {}, async (uri, extra) => ({
      contents: [{ uri: uri.href, text: await told(log, clientV1(extra).elicit("Which file?")) }],
    }));
    return server;
  }
  const server = new McpServerV2(info);
  for (const [name, run] of Object.entries(TOOLS)) {
    server.registerTool(name, { inputSchema: z.object(ARGS) }, (args, context) => run(clientV2(context), args, log));
  }
  return server;
}

const ARGS = { times: z.number().optional(), to: z.string().optional() };

function clientV1(extra: unknown): Asking {
  const { sendRequest, sendNotification, signal, _meta } = extra as {
    sendRequest(request: object, schema: object, options?: object): Promise<unknown>;
    sendNotification(notification: object): Promise<void>;
    signal: AbortSignal;
    _meta?: { progressToken?: string | number };
  };
  const send = (method: string, params?: object) => sendRequest({ method, params }, z.looseObject({}), WAIT);
  return {
    elicit: (message) => send("elicitation/create", { message, requestedSchema: FORM }),
    sample: (said) => send("sampling/createMessage", sampling(said)),
    roots: () => send("roots/list"),
    notify: (method, params) => sendNotification({ method, params }),
    token: _meta?.progressToken,
    signal,
  };
}

function clientV2(context: unknown): Asking {
  const { mcpReq } = context as {
    mcpReq: {
      elicitInput(params: object, options?: object): Promise<unknown>;
      requestSampling(params: object, options?: object): Promise<unknown>;
      send(request: object, schema: object, options?: object): Promise<unknown>;
      notify(notification: object): Promise<void>;
      signal: AbortSignal;
      _meta?: { progressToken?: string | number };
    };
  };
  return {
    elicit: (message) => mcpReq.elicitInput({ mode: "form", message, requestedSchema: FORM }, WAIT),
    sample: (said) => mcpReq.requestSampling(sampling(said), WAIT),
    roots: () => mcpReq.send({ method: "roots/list" }, z.looseObject({}), WAIT),
    notify: (method, params) => mcpReq.notify({ method, params }),
    token: mcpReq._meta?.progressToken,
    signal: mcpReq.signal,
  };
}

/** A day: that a question is not answered is up to the gateway. */
const WAIT = { timeout: 86_400_000 };

function sampling(said: string): object {
  return { messages: [{ role: "user", content: { type: "text", text: said } }], maxTokens: 10 };
}

export function createAskingLog(): AskingLog {
  return { paid: [], cancelled: [], answers: [], slow: [] };
}

/** Starts a server over HTTP with a session for each client. */
export async function startAsker(version: SdkVersion): Promise<LoopbackServer & AskingLog> {
  const log = createAskingLog();
  const sessions = new Map<string, StreamableHTTPServerTransport | NodeStreamableHTTPServerTransport>();
  const Transport = version === "v1" ? StreamableHTTPServerTransport : NodeStreamableHTTPServerTransport;
  const server = createServer(async (request, response) => {
    const id = request.headers["mcp-session-id"] as string | undefined;
    const known = id === undefined ? undefined : sessions.get(id);
    if (known === undefined && id !== undefined) {
      response.writeHead(404).end();
      return;
    }
    if (known !== undefined) {
      await known.handleRequest(request, response);
      return;
    }
    const transport = new Transport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (created: string) => void sessions.set(created, transport),
      onsessionclosed: (closed: string) => void sessions.delete(closed),
    });
    await createAsker(version, log).connect(transport as never);
    await transport.handleRequest(request, response);
  });
  return { ...(await listenOnLoopback(server)), ...log };
}
