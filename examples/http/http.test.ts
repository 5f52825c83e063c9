import { once } from "node:events";
import { Agent, createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { recourse } from "@recourse/faults/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { app as expressV1 } from "./express-v1.ts";
import { app as expressV2 } from "./express-v2.ts";
import { app as fastifyV1 } from "./fastify-v1.ts";
import { app as fastifyV2 } from "./fastify-v2.ts";
import { app as hono } from "./hono.ts";
import { server as nodeHttp } from "./node-http.ts";
import { json, known, LEAKS, REFUSED, send } from "./requests.ts";
import { server as sdkNode } from "./sdk-node.ts";

/** What an example does otherwise, and why. */
interface Example {
  readonly name: string;
  readonly server: () => Promise<Server>;
  readonly methods?: string;
  /** Refusals that an adapter answers before the guard sees the request; they are no faults. */
  readonly unlike?: Readonly<Record<string, { readonly status: number; readonly type?: string }>>;
}

const EXAMPLES: readonly Example[] = [
  { name: "Express 5, SDK 2", server: async () => createServer(expressV2) },
  { name: "Express 5, SDK 1 with sessions", server: async () => createServer(expressV1), methods: "POST, GET, DELETE" },
  {
    name: "Fastify 5, SDK 2",
    server: async () => fastifyV2.ready().then(() => fastifyV2.server),
  },
  { name: "Fastify 5, SDK 1 without sessions", server: async () => fastifyV1.ready().then(() => fastifyV1.server) },
  {
    name: "Hono",
    server: async () => createServer(getRequestListener(hono.fetch)),
    unlike: { "a Host with a user": { status: 400 } },
  },
  { name: "node:http", server: async () => nodeHttp },
  {
    name: "node:http with the SDK's adapter",
    server: async () => sdkNode,
    unlike: {
      "a body that is too large": { status: 413, type: "application/json" },
      "a Host with a user": { status: 500, type: "application/json" },
    },
  },
];

const CLIENTS: readonly [string, (url: URL) => Promise<Client>][] = [
  [
    "the client of SDK 1",
    async (url) => {
      const client = new OldClient({ name: "c", version: "1" });
      await client.connect(new OldTransport(url, { requestInit: { headers: known } }) as never);
      return client as unknown as Client;
    },
  ],
  ...(["auto", "legacy"] as const).map((mode): [string, (url: URL) => Promise<Client>] => [
    `the client of SDK 2 (${mode})`,
    async (url) => {
      const client = new Client({ name: "c", version: "1" }, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: known } }));
      return client;
    },
  ]),
];

describe.each(EXAMPLES)("$name", ({ server: create, methods = "POST", unlike = {} }) => {
  let server: Server;
  let url: URL;
  beforeAll(async () => {
    server = await create();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it.each(CLIENTS)("serves %s: caller, failure and key", async (_, connect) => {
    const client = await connect(url);
    const mcp = recourse(client);
    expect(await mcp.call("whoami", {})).toMatchObject({ ok: true, result: { content: [{ text: "ada" }] } });
    const failed = await mcp.call("cancel_order", { order: 9 });
    expect(failed).toMatchObject({ ok: false, fault: { kind: "not_found", quote: { text: "There is no order 9." } } });
    const key = { idempotencyKey: `cancel-${_}` };
    const first = await mcp.call("cancel_order", { order: 7 }, key);
    expect(first).toMatchObject({ ok: true, result: { content: [{ text: "Order 7 is cancelled." }] } });
    expect(await mcp.call("cancel_order", { order: 8 }, key)).toMatchObject({
      ok: false,
      fault: { reason: "idempotency/key_reused" },
    });
    await client.close();
  });

  it.each(REFUSED)("answers $what", async ({ what, status, reason, ...sent }) => {
    const answer = await send(url, sent);
    const expected = unlike[what] ?? { status, reason, type: "application/json" };
    expect({ status: answer.status, reason: answer.reason, type: answer.headers["content-type"] }).toEqual(expected);
    expect(JSON.stringify(answer)).not.toMatch(LEAKS);
    expect(answer.headers["www-authenticate"]).toBe(status === 401 ? "Bearer" : undefined);
    if (status === 405) expect(answer.headers.allow).toBe(methods);
  });

  it("refuses all credentials with the same bytes", async () => {
    const body = "{}";
    const missing = await send(url, { headers: json, body });
    const wrong = await send(url, { headers: { ...json, authorization: "Bearer x" }, body });
    const cut = ({ text }: { text: string }) => text.replaceAll(/"at":"[^"]*"/g, "");
    expect(cut(wrong)).toBe(cut(missing));
  });

  it.each([100_000, 3_000_000, 6_000_000])(
    "serves the connection on after a refused body of %i bytes",
    async (size) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      // Neither an announced nor a streamed body may stand in the way of what comes next.
      const lengths = [{ "content-length": String(size) }, { "transfer-encoding": "chunked" }];
      for (const headers of lengths.flatMap((length) => [
        { ...json, ...length },
        { ...known, ...length },
      ])) {
        await finished(url, { method: "POST", agent, headers }, "x".repeat(size)).catch(() => {});
        const next = () => finished(url, { method: "POST", agent, headers: known }, "{");
        // On a slow machine the server may have closed the connection, which a client learns from its next request.
        expect(await next().catch(next)).toBe(400);
      }
      agent.destroy();
    },
  );
});

function finished(url: URL, options: object, body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, options, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode));
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
