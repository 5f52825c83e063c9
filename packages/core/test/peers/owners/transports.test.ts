// Over HTTP an anonymous call with a key is refused, whatever transport of the official SDK carries it. Over stdio and in
// memory there is one caller, who has keys.
import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import {
  Client as ClientV2,
  InMemoryTransport as MemoryV2,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { SSEClientTransport } from "@modelcontextprotocol/sdk/client/sse.js";
import { InMemoryTransport as MemoryV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { bundleProgram } from "@recourse/test-kit/bundle";
import { listenOnLoopback, readWebRequest } from "@recourse/test-kit/loopback";
import type { AnyClient, SdkVersion } from "@recourse/test-kit/sdk-pairs";
import { afterEach, describe, expect, test } from "vitest";
import { readFault } from "../../../src/index.ts";
import { createShop } from "./shop.ts";

const open: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const INFO = { name: "client", version: "1.0.0" };
const newClient = (version: SdkVersion) => (version === "v1" ? new ClientV1(INFO) : new ClientV2(INFO));

async function connect(client: ClientV1 | ClientV2, transport: unknown): Promise<AnyClient> {
  await client.connect(transport as never);
  open.push(client);
  return client as unknown as AnyClient;
}

/** What two equal calls with one key get: their reason, or their text. */
async function orderTwice(client: AnyClient): Promise<readonly unknown[]> {
  const order = async () => {
    const params = { name: "order", arguments: {}, _meta: { "recourse/call": { key: "k" } } };
    const result = (await client.callTool(params)) as {
      readonly content: readonly { readonly text: string }[];
      readonly _meta?: Readonly<Record<string, unknown>>;
    };
    return readFault(result._meta?.["recourse/fault"])?.reason ?? result.content[0]?.text;
  };
  return [await order(), await order()];
}

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown;
interface HttpTransport {
  readonly sessionId?: string | undefined;
  handleRequest(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

/** A server for each request. */
function stateless(version: SdkVersion, create: () => HttpTransport): Answer {
  return async (request, response) => {
    const transport = create();
    await createShop(version).connect(transport);
    await transport.handleRequest(request, response);
  };
}

/** A server for each session. */
function stateful(version: SdkVersion, create: () => HttpTransport): Answer {
  const sessions = new Map<unknown, HttpTransport>();
  return async (request, response) => {
    const known = sessions.get(request.headers["mcp-session-id"]);
    if (known !== undefined) return known.handleRequest(request, response);
    const transport = create();
    await createShop(version).connect(transport);
    await transport.handleRequest(request, response);
    sessions.set(transport.sessionId, transport);
  };
}

const sessionIdGenerator = randomUUID;
const newV1 = (options: object) => () => new StreamableHTTPServerTransport(options) as unknown as HttpTransport;
const newV2 = (options: object) => () => new NodeStreamableHTTPServerTransport(options) as unknown as HttpTransport;
const handler = createMcpHandler(() => createShop("v2") as never);

const SERVERS: Readonly<Record<string, Answer>> = {
  "v1 stateless, JSON": stateless("v1", newV1({ enableJsonResponse: true })),
  "v1 stateless, events": stateless("v1", newV1({})),
  "v1 with sessions, JSON": stateful("v1", newV1({ enableJsonResponse: true, sessionIdGenerator })),
  "v1 with sessions, events": stateful("v1", newV1({ sessionIdGenerator })),
  "v2 stateless, JSON": stateless("v2", newV2({ enableJsonResponse: true })),
  "v2 stateless, events": stateless("v2", newV2({})),
  "v2 with sessions, events": stateful("v2", newV2({ sessionIdGenerator })),
  async "v2 handler"(request, response) {
    const answer = await handler.fetch(await readWebRequest(request));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    response.end(Buffer.from(await answer.arrayBuffer()));
  },
};

describe("over HTTP an anonymous caller has no keys", () => {
  const REFUSED = ["idempotency/caller_unknown", "idempotency/caller_unknown"];

  test.each(Object.entries(SERVERS))("%s", async (_name, answer) => {
    const http = await listenOnLoopback(createServer(answer));
    open.push(http);
    expect(await orderTwice(await connect(newClient("v2"), new StreamableHTTPClientTransport(http.url)))).toEqual(
      REFUSED,
    );
  });

  test("v1 SSE, one stream for all calls", async () => {
    const transports = new Map<string, SSEServerTransport>();
    const http = await listenOnLoopback(
      createServer(async (request, response) => {
        const session = new URL(request.url ?? "", "http://a.example").searchParams.get("sessionId");
        if (session !== null) return transports.get(session)?.handlePostMessage(request, response);
        const transport = new SSEServerTransport("/messages", response);
        transports.set(transport.sessionId, transport);
        return createShop("v1").connect(transport);
      }),
    );
    open.push(http);
    expect(await orderTwice(await connect(newClient("v1"), new SSEClientTransport(http.url)))).toEqual(REFUSED);
  });
});

describe("one caller has keys", () => {
  const ORDERED = ["order 1", "order 1"];

  test.each(["v1", "v2"] as const)("in memory: %s", async (version) => {
    const [near, far] = version === "v1" ? MemoryV1.createLinkedPair() : MemoryV2.createLinkedPair();
    await createShop(version).connect(far);
    expect(await orderTwice(await connect(newClient(version), near))).toEqual(ORDERED);
  });

  test.each(["v1", "v2"] as const)("over stdio: %s", async (version) => {
    const program = await bundleProgram(new URL("stdio-shop.ts", import.meta.url));
    const transport = new StdioClientTransport({ command: process.execPath, args: [program, version] });
    expect(await orderTwice(await connect(newClient("v2"), transport))).toEqual(ORDERED);
  });
});
