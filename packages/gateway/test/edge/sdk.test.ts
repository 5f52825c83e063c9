import { createServer } from "node:http";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { toNodeListener } from "@recourse/core/server";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";

/** A server of the official SDK with a tool that adds, and one that fails. */
async function sdkServer(): Promise<URL> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "calculator", version: "1.0.0" });
    server.registerTool("add", { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => ({
      content: [{ type: "text", text: String(a + b) }],
    }));
    server.registerTool("fail", {}, () => {
      throw new Error("connect ECONNREFUSED 10.0.0.1:5432");
    });
    return server;
  });
  const http = await listenOnLoopback(createServer(toNodeListener(handler as never)));
  onTestFinished(() => http.close());
  return http.url;
}

const INFO = { name: "client", version: "1.0.0" };

const CLIENTS = {
  "SDK 2, newer era": async (url: URL) => {
    const client = new Client(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new StreamableHTTPClientTransport(url));
    return client;
  },
  "SDK 2, older era": async (url: URL) => {
    const client = new Client(INFO);
    await client.connect(new StreamableHTTPClientTransport(url));
    return client;
  },
  "SDK 1": async (url: URL) => {
    const client = new ClientV1(INFO);
    await client.connect(new TransportV1(url) as never);
    return client as unknown as Client;
  },
};

test.each(Object.entries(CLIENTS))("%s lists and calls the tools of a server of the SDK", async (_, connect) => {
  const gateway = await startTestGateway({ upstreams: [httpUpstream(await sdkServer(), { era: "auto" })] });
  const client = await connect(gateway.url);
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).toSorted()).toEqual(["up__add", "up__fail"]);
  const sum = await client.callTool({ name: "up__add", arguments: { a: 1, b: 2 } });
  expect(sum.content).toEqual([{ type: "text", text: "3" }]);
  const failed = await client.callTool({ name: "up__fail", arguments: {} });
  expect(failed.isError).toBe(true);
  expect(failed._meta).toHaveProperty(["recourse/fault", "kind"]);
  await expect(client.callTool({ name: "up__nope", arguments: {} })).rejects.toThrow(/up__nope/);
});
