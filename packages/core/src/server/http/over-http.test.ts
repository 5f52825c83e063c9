import { Agent, createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { guardHandler } from "./guard-handler.ts";

const handler = guardHandler(
  createMcpHandler(() => {
    const mcp = new McpServer({ name: "s", version: "1" });
    mcp.registerTool("add", { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => ({
      content: [{ type: "text", text: String(a + b) }],
    }));
    return mcp;
  }),
  {
    body: { maxBytes: 10_000 },
    sink: () => expect.unreachable(),
    auth: { authenticate: (request) => ({ ok: request.headers.get("authorization") === "Bearer open-sesame" }) },
  },
);

/** The thinnest bridge between node:http and a web-standard handler. */
const web: Server = createServer((incoming, outgoing) => {
  const { method = "GET", url = "/" } = incoming;
  const headers = new Headers(
    Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const hasBody = method === "POST" || method === "PUT";
  const body = hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" as const } : {};
  void handler.fetch(new Request(`http://127.0.0.1${url}`, { method, headers, ...body })).then(async (response) => {
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    for await (const chunk of response.body ?? []) outgoing.write(chunk);
    outgoing.end();
  });
});
let url: URL;
beforeAll(async () => {
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  url = new URL(`http://127.0.0.1:${(web.address() as AddressInfo).port}/mcp`);
});
afterAll(async () => {
  web.closeAllConnections();
  await new Promise((resolve) => web.close(resolve));
});

const headers = { authorization: "Bearer open-sesame" };
const json = { ...headers, "content-type": "application/json" };

describe("over real HTTP", () => {
  it.each([["auto"], [undefined]] as const)("serves the official client (negotiation %s)", async (mode) => {
    const client = new Client({ name: "c", version: "1" }, mode === undefined ? {} : { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    const result = await client.callTool({ name: "add", arguments: { a: 2, b: 3 } });
    expect(result.content).toEqual([{ type: "text", text: "5" }]);
    await client.close();
  });

  it("serves the official client of version 1", async () => {
    const client = new OldClient({ name: "c", version: "1" });
    await client.connect(new OldTransport(url, { requestInit: { headers } }) as never);
    const result = await client.callTool({ name: "add", arguments: { a: 2, b: 3 } });
    expect(result.content).toEqual([{ type: "text", text: "5" }]);
    await client.close();
  });

  it("refuses a client without credentials", async () => {
    const client = new Client({ name: "c", version: "1" });
    const error = await client.connect(new StreamableHTTPClientTransport(url)).then(
      () => expect.unreachable(),
      (thrown: unknown) => thrown,
    );
    expect((error as { status?: unknown }).status).toBe(401);
  });

  it.each([
    ["announced", { "content-length": "500000" }],
    ["streamed", { "transfer-encoding": "chunked" }],
  ])("serves the connection on after a body that is too large (%s)", async (_, length) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const send = (sent: Record<string, string>, body: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const outgoing = httpRequest(url, { method: "POST", agent, headers: { ...json, ...sent } }, (response) => {
          response.resume().on("end", () => resolve(response.statusCode));
        });
        outgoing.on("error", reject).end(body);
      });
    expect(await send(length, "x".repeat(500_000))).toBe(413);
    // Behind a body that nobody reads, this one is reset after some seconds.
    expect(await send({}, "{")).toBe(400);
    agent.destroy();
  });

  it("stops reading a body that has no announced length and no end", async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const outgoing = httpRequest(url, { method: "POST", headers: { ...json, "transfer-encoding": "chunked" } });
      const timer = setInterval(() => outgoing.write("x".repeat(4_096)), 1);
      outgoing.on("response", (response) => {
        clearInterval(timer);
        resolve(response.statusCode);
        outgoing.destroy();
      });
      outgoing.on("error", (error) => {
        clearInterval(timer);
        reject(error);
      });
    });
    expect(status).toBe(413);
  });
});
