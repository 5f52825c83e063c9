import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as InMemoryV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport as WebTransportV1 } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import {
  createMcpHandler,
  InMemoryTransport as InMemoryV2,
  McpServer as McpServerV2,
} from "@modelcontextprotocol/server";
import { type GuardOptions, guard, type Incident, isGuarded } from "@recourse/core/server";
import { closeAfterTest, openHttpPair, openUpstream } from "@recourse/test-kit/fixtures";
import { answerJson, type UpstreamAnswer } from "@recourse/test-kit/loopback";
import { ERAS, type Era, sdkVersion } from "@recourse/test-kit/sdk-pairs";
import { describe, expect, test } from "vitest";
import { answering, DOCUMENT, startCrm } from "../../test/crm.ts";
import { forward } from "../credentials/simple-credentials.ts";
import { openapi } from "../openapi.ts";
import type { OpenapiOptions } from "./options.ts";

const INFO = { name: "bridge", version: "1.0.0" };
const newServer = (era: Era) => (sdkVersion(era) === "v1" ? new McpServerV1(INFO) : new McpServerV2(INFO));

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

async function served(era: Era, answer: UpstreamAnswer, options: OpenapiOptions = {}, guardOptions: GuardOptions = {}) {
  const incidents: Incident[] = [];
  const { crm, upstream } = await startCrm(answer, { sink: (incident) => incidents.push(incident), ...options });
  const { client } = await openHttpPair(era, () => crm.register(newServer(era), guardOptions));
  const call = async (name: string, args: Record<string, unknown>): Promise<Result> =>
    (await client.callTool({ name, arguments: args })) as Result;
  return { upstream, incidents, crm, client, call };
}

describe.each(ERAS)("%s", (era) => {
  test("tools are listed with schema, annotations and declared reasons", async () => {
    const { client } = await served(era, (_, response) => answerJson(response, 200, {}));
    const { tools } = (await client.listTools()) as { tools: readonly { name: string }[] };
    expect(tools).toHaveLength(6);
    expect(tools.find(({ name }) => name === "getClient")).toMatchObject({
      description: "Calls GET /clients/{id}.",
      annotations: { readOnlyHint: true, idempotentHint: true },
      inputSchema: {
        type: "object",
        properties: { id: { type: "integer" } },
        required: ["id"],
        additionalProperties: false,
      },
      _meta: { "recourse/declares": ["rest/not_found"] },
    });
  });

  test("a call gives text and data", async () => {
    const { call, upstream } = await served(era, (hit, response) =>
      answerJson(response, 200, JSON.parse(String(hit.body))),
    );
    expect(await call("createClient", { name: "Ada", address: { city: "x" } })).toMatchObject({
      content: [{ type: "text", text: '{"name":"Ada","address":{"city":"x"}}' }],
      structuredContent: { name: "Ada", address: { city: "x" } },
    });
    expect(upstream.hits).toMatchObject([{ method: "POST", target: "/v1/clients" }]);
  });

  test("a mistake that the service explains to the caller is no incident, unless its words are hidden", async () => {
    const answer: UpstreamAnswer = (_, response) => answerJson(response, 404, { detail: "This thing was never made." });
    const told = await served(era, answer);
    expect((await told.call("getClient", { id: 1 })).content[0]?.text).toContain("“This thing was never made.”");
    expect(told.incidents).toEqual([]);
    const hidden = await served(era, answer, { foreignText: "hide" });
    expect((await hidden.call("getClient", { id: 1 })).content[0]?.text).not.toContain("never made");
    expect(hidden.incidents).toHaveLength(1);
  });

  test("a raw body is relayed without the server's key", async () => {
    const { call, incidents } = await served(
      era,
      (hit, response) => answerJson(response, 422, { error: "archived", saw: hit.headers["authorization"] }),
      { foreignText: "raw" },
    );
    const result = await call("createClient", { name: "x" });
    expect(result).toMatchObject({ isError: true, structuredContent: { error: "archived", saw: null } });
    expect(result.structuredContent).toEqual({ error: "archived", saw: null });
    expect(result._meta).toMatchObject({ "recourse/fault": { reason: "rest/wrong_state" } });
    expect(result.content[0]?.text).toBe('{"error":"archived","saw":null}');
    expect(incidents).toEqual([]);
  });

  test("the caller's key is sent on, and its deadline counts", async () => {
    const answer: UpstreamAnswer = (hit, response) =>
      String(hit.body).includes("slow") ? undefined : answerJson(response, 200, {});
    const { client, upstream } = await served(era, answer, {}, { idempotency: { caller: () => "ann" } });
    const call = (name: string, meta: object) =>
      client.callTool({
        name: "createClient",
        arguments: { name },
        _meta: { "recourse/call": { id: "c1", attempt: 1, ...meta } },
      } as never);
    await call("a", { deadlineMs: 10_000, key: "order-1" });
    expect(upstream.hits[0]?.headers["idempotency-key"]).toMatch(/^[0-9a-f]{64}$/);
    expect(await call("slow", { deadlineMs: 400 })).toMatchObject({
      _meta: { "recourse/fault": { kind: "timeout", effect: "possible" } },
    });
  });
});

describe("a cancelled call", () => {
  test.each(["v2 legacy", "v1"] as const)("is given up towards the service too: %s", async (era) => {
    const closed = Promise.withResolvers<void>();
    const caller = new AbortController();
    const { crm, upstream } = await startCrm((_, response) => {
      response.on("close", () => closed.resolve());
      caller.abort();
    });
    const [near, far] = era === "v1" ? InMemoryV1.createLinkedPair() : InMemoryV2.createLinkedPair();
    await (crm.register(newServer(era)) as McpServerV2).connect(far as never);
    const client = era === "v1" ? new ClientV1(INFO) : new ClientV2(INFO);
    await client.connect(near as never);
    closeAfterTest(client);
    const call = client.callTool({ name: "getClient", arguments: { id: 1 } }, ...aborted(era, caller.signal));
    await expect(call).rejects.toThrow();
    await closed.promise;
    expect(upstream.hits).toHaveLength(1);
  });

  function aborted(era: Era, signal: AbortSignal): never[] {
    return (era === "v1" ? [undefined, { signal }] : [{ signal }]) as never[];
  }
});

describe("a caller's own header", () => {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "getClient", arguments: { id: 1 } } };
  const requestWith = (headers: object) =>
    new Request("http://127.0.0.1/mcp", {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-06-18",
        ...headers,
      },
      body: JSON.stringify(body),
    });
  const SERVED = {
    v1: async (server: object, request: Request) => {
      const transport = new WebTransportV1({ enableJsonResponse: true });
      await (server as McpServerV1).connect(transport as never);
      return transport.handleRequest(request);
    },
    v2: (server: object, request: Request) => createMcpHandler(() => server as never).fetch(request),
  };

  test.each(["v1", "v2"] as const)(
    "is forwarded where it is configured, and asked for where it is missing: %s",
    async (version) => {
      const document = { ...DOCUMENT, security: [] };
      const upstream = await openUpstream(answering(200, { ok: true }));
      const credential = forward("x-user-token");
      const options = { server: upstream.url, network: { allowPrivate: true }, credential };
      const bridge = closeAfterTest(await openapi(document, options));
      const asked = async (headers: object) => {
        const server = bridge.register(newServer(version === "v1" ? "v1" : "v2 legacy"));
        return (await SERVED[version](server, requestWith(headers))).text();
      };
      expect(await asked({ "x-user-token": "token-of-the-caller" })).toContain('{\\"ok\\":true}');
      expect(await asked({})).toContain("auth/unauthorized");
      expect(upstream.hits.map((hit) => hit.headers["x-user-token"])).toEqual(["token-of-the-caller"]);
    },
  );
});

test("a server is guarded if it is not guarded yet, and not twice; anything else is refused", async () => {
  const { crm } = await startCrm(answering(200, {}));
  const server = new McpServerV2(INFO);
  expect(crm.register(server)).toBe(server);
  expect(isGuarded(server)).toBe(true);
  const guarded = guard(new McpServerV1(INFO), { sink: () => {} });
  expect(crm.register(guarded)).toBe(guarded);
  expect(() => crm.register({})).toThrow("McpServer");
});
