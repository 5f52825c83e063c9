// What an incident says was sent is what a client got, word for word; and what it says about the way of the call.
import { createServer } from "node:http";
import { hostname } from "node:os";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { toNodeListener } from "@recourse/core/server";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { describe, expect, it, onTestFinished } from "vitest";
import { INCIDENT } from "../../src/admin/schemas.ts";
import { sha256Hex } from "../../src/call/binding.ts";
import { DIALECT_NAMES, type GatewayConfig } from "../../src/config/types.ts";
import { ADMIN, ask } from "../admin/support.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { MODERN_META, modernHeaders, post } from "../support/post.ts";
import { startStubUpstream } from "../support/stub-upstream.ts";

const INFO = { name: "agent", version: "3.1.4" };
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

const CLIENTS = {
  "2026-07-28": async (url: URL, fetch: typeof globalThis.fetch) => {
    const client = new Client(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new StreamableHTTPClientTransport(url, { fetch }));
    return client;
  },
  "2025-11-25": async (url: URL, fetch: typeof globalThis.fetch) => {
    const client = new ClientV1(INFO);
    await client.connect(new TransportV1(url, { fetch: fetch as never }) as never);
    return client as unknown as Client;
  },
} as const;

/** A server of the SDK whose tool and whose prompt fail, each in the way of its own. */
async function failingServer(): Promise<URL> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "shop", version: "1.0.0" });
    const refuse = () => {
      throw new Error("connect ECONNREFUSED 10.0.0.1:5432");
    };
    server.registerTool("order", {}, refuse);
    server.registerPrompt("letter", {}, refuse);
    return server;
  });
  const http = await listenOnLoopback(createServer(toNodeListener(handler as never)));
  onTestFinished(() => http.close());
  return http.url;
}

async function startShop(changes: Partial<GatewayConfig> = {}) {
  const gateway = await startTestGateway({ admin: ADMIN, ...changes });
  const { adminUrl } = gateway;
  if (adminUrl === undefined) throw new Error("no API");
  const get = async (path: string) => (await ask(adminUrl, path)).json;
  /** The newest incident, which has to be what the API promises. */
  const newest = async () => INCIDENT.parse((await get("/incidents?limit=1")).items[0]);
  return { gateway, get, newest };
}

/** Keeps the last body that a client got, whatever the client makes of it. */
function recordingFetch() {
  const got: { text: string } = { text: "" };
  const recorded: typeof fetch = async (...request) => {
    const response = await fetch(...request);
    got.text = await response.clone().text();
    return response;
  };
  return { got, recorded };
}

describe.each(Object.entries(CLIENTS))("a client of %s", (revision, connect) => {
  it.each(["result", "error"] as const)("reads the sentence of the incident in a JSON-RPC %s", async (member) => {
    const { gateway, newest } = await startShop({ upstreams: [httpUpstream(await failingServer(), { era: "auto" })] });
    const { got, recorded } = recordingFetch();
    const client = await connect(gateway.url, recorded);
    onTestFinished(() => client.close());
    if (member === "result") {
      const { content } = await client.callTool({ name: "up__order", arguments: {} });
      expect(content).toEqual([{ type: "text", text: (await newest()).sample?.sentText }]);
    } else {
      await expect(client.getPrompt({ name: "up__letter" })).rejects.toThrow();
      const { error } = JSON.parse(got.text.replace(/^[^{]*data: /s, ""));
      expect((await newest()).sample).toMatchObject({ sentText: error.message, code: error.code });
    }
    const { sample, effect, upstream } = await newest();
    expect([upstream, effect]).toEqual(["up", sample?.fault["effect"]]);
    expect(sample).toMatchObject({
      endedAt: "judge",
      sent: "all",
      keyed: false,
      client: INFO,
      protocol: revision,
      replica: `${hostname().split(".")[0]}-${process.pid}`,
    });
    expect(sample?.steps?.map(({ step }) => step)).toEqual([
      ...["head", "authenticate", "message", "resolve", "limits", "check", "breaker", "begin", "attempt", "judge"],
    ]);
    expect(sample?.steps?.find(({ step }) => step === "attempt")?.ms).toBeGreaterThan(0);
  });
});

describe.each(DIALECT_NAMES)("the wire %s", (dialect) => {
  it("has the sentence of the incident, or the incident has none", async () => {
    const stub = await startStubUpstream((_request, response) => void response.destroy());
    const key = `rk_test_${dialect}_0123456789`;
    const { gateway, newest } = await startShop({
      upstreams: [httpUpstream(stub.url)],
      authentication: "required",
      keys: [{ id: "ci", tenant: "acme", sha256: sha256Hex(key), tools: ["*"], scopes: [], entitlements: [], dialect }],
    });
    const traceparent = `"traceparent":"00-${TRACE}-00f067aa0ba902b7-01"`;
    const params = `{"name":"up__echo","arguments":{},"_meta":{${MODERN_META},${traceparent}}}`;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`;
    const headers = { ...modernHeaders("tools/call", "up__echo"), authorization: `Bearer ${key}` };
    const answer = (await post(gateway.url, body, headers)).json() as {
      readonly result?: { readonly content?: readonly { readonly text?: string }[] };
      readonly error?: { readonly message?: string };
    };
    const texts = answer.result?.content?.map(({ text }) => text ?? "").join("\n") ?? answer.error?.message ?? "";
    const { sample, trace, reason } = await newest();
    expect(sample?.sentText ?? "").toBe(texts);
    expect(sample?.sentText).not.toBe("");
    expect([reason, trace, sample?.endedAt, sample?.sent]).toEqual([
      "transport/connection_lost",
      TRACE,
      "attempt",
      "all",
    ]);
    expect(sample?.steps?.at(-1)?.step).toBe("attempt");
  });
});

it("neither the texts nor the client are kept where the file says so", async () => {
  const { gateway, newest } = await startShop({
    incidents: { keepMs: 86_400_000, samplesPerMinute: 20, callers: "keep", texts: "drop" },
    upstreams: [httpUpstream(await failingServer(), { era: "auto" })],
  });
  const client = await CLIENTS["2026-07-28"](gateway.url, fetch);
  onTestFinished(() => client.close());
  await client.callTool({ name: "up__order", arguments: {} });
  const { sample } = await newest();
  expect([sample?.sentText, sample?.client, sample?.protocol]).toEqual([undefined, undefined, "2026-07-28"]);
});
