// Sessions as clients of the official SDK use them, in front of servers of the SDK.
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { LoggingMessageNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { expect, onTestFinished, test } from "vitest";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { startV1 } from "../upstreams-http/support/sdk-servers.ts";
import { startLogging } from "./logging-server.ts";

const INFO = { name: "client", version: "1.0.0" };

async function connect(url: URL) {
  const client = new Client(INFO);
  const transport = new StreamableHTTPClientTransport(url);
  await client.connect(transport as never);
  onTestFinished(() => client.close());
  return { client, transport };
}

const textIn = (result: object): unknown => (result as { content: { text: string }[] }).content[0]?.text;

async function startInFrontOfV1() {
  const server = await startV1({ json: false });
  onTestFinished(() => server.close());
  const upstream = httpUpstream(server.url, { era: "2025-11-25" });
  const gateway = await startTestGateway({ upstreams: [upstream] });
  return { server, url: gateway.url };
}

test("a client initializes, calls, and ends its session; with it ends that of the upstream", async () => {
  const { server, url } = await startInFrontOfV1();
  const { client, transport } = await connect(url);
  const count = async () => textIn(await client.callTool({ name: "up__count" }));
  expect([await count(), await count()]).toEqual(["1", "2"]);
  const other = await connect(url);
  expect(textIn(await other.client.callTool({ name: "up__count" }))).toBe("1");
  const openBefore = server.sessions.size;
  const { sessionId = "" } = transport;
  expect(sessionId).toMatch(/^s1\./);
  await transport.terminateSession();
  expect(transport.sessionId).toBeUndefined();
  await expect.poll(() => server.sessions.size).toBe(openBefore - 1);
  expect(textIn(await other.client.callTool({ name: "up__count" }))).toBe("2");
  const late = new StreamableHTTPClientTransport(url, { sessionId });
  const failing = new Promise<Error>((resolve) => {
    late.onerror = resolve;
  });
  await late.start();
  await late.send({ jsonrpc: "2.0", id: 1, method: "ping" }).catch(() => {});
  expect(await failing).toMatchObject({ code: 404 });
});

test("a client of SDK 2 in the older era ends its session too", async () => {
  const { url } = await startInFrontOfV1();
  const client = new ClientV2(INFO);
  const transport = new TransportV2(url);
  await client.connect(transport);
  onTestFinished(() => client.close());
  expect(textIn(await client.callTool({ name: "up__count" }))).toBe("1");
  await transport.terminateSession();
  expect(transport.sessionId).toBeUndefined();
});

test.each(["1", "2"] as const)(
  "a log level reaches a server of SDK %s, and its messages come back",
  async (version) => {
    const server = await startLogging(version);
    onTestFinished(() => server.close());
    const era = version === "1" ? "2025-11-25" : "2026-07-28";
    const gateway = await startTestGateway({ upstreams: [httpUpstream(server.url, { era })] });
    const { client } = await connect(gateway.url);
    await client.listTools();
    const messages: unknown[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void messages.push(params.level));
    expect(client.getServerCapabilities()).toMatchObject({ logging: {} });
    expect(await client.setLoggingLevel("error")).toEqual({});
    await client.callTool({ name: "up__log" });
    expect(messages).toEqual(["error"]);
    await client.setLoggingLevel("info");
    await client.callTool({ name: "up__log" });
    expect(messages).toEqual(["error", "info", "error"]);
  },
);
