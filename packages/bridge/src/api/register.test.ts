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
import { type GuardOptions, guard, type Incident, isGuarded } from "@recourse/faults/server";
import { answerJson, startUpstream, type UpstreamAnswer } from "@recourse/test-kit/loopback";
import { connectHttpPair, ERAS, type Era, sdkVersion } from "@recourse/test-kit/sdk-pairs";
import { afterEach, describe, expect, test } from "vitest";
import { bearer, forward } from "../credentials/simple-credentials.ts";
import { openapi } from "../openapi.ts";
import type { OpenapiOptions } from "./options.ts";

const INFO = { name: "bridge", version: "1.0.0" };
const DOCUMENT = {
  openapi: "3.0.3",
  info: { title: "Things", version: "1" },
  paths: {
    "/things/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string", maxLength: 20 } }],
      get: {
        operationId: "getThing",
        summary: "Reads a thing",
        responses: { 200: { description: "", content: { "application/json": {} } }, 404: { description: "" } },
      },
      put: {
        operationId: "putThing",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                properties: {
                  size: { type: "integer", minimum: 1 },
                  tags: { type: "array", items: { type: "string" } },
                },
                required: ["size"],
              },
            },
          },
        },
        responses: { 200: { description: "", content: { "application/json": {} } } },
      },
    },
  },
};

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

const newServer = (era: Era) => (sdkVersion(era) === "v1" ? new McpServerV1(INFO) : new McpServerV2(INFO));

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

async function served(era: Era, answer: UpstreamAnswer, options: OpenapiOptions = {}, guardOptions: GuardOptions = {}) {
  const upstream = await startUpstream(answer);
  const incidents: Incident[] = [];
  const bridge = await openapi(DOCUMENT, {
    server: upstream.url,
    network: { allowPrivate: true },
    sink: (incident) => incidents.push(incident),
    ...options,
  });
  const pair = await connectHttpPair(era, () => bridge.register(newServer(era), guardOptions));
  open.push(pair, bridge, upstream);
  const call = async (name: string, args: Record<string, unknown>): Promise<Result> =>
    (await pair.client.callTool({ name, arguments: args })) as Result;
  return { upstream, incidents, bridge, client: pair.client, call };
}

describe.each(ERAS)("%s", (era) => {
  test("tools are listed with schema, annotations and declared reasons", async () => {
    const { client } = await served(era, (_, response) => answerJson(response, 200, {}));
    const { tools } = (await client.listTools()) as { tools: readonly unknown[] };
    expect(tools).toMatchObject([
      {
        name: "getThing",
        description: "Reads a thing.",
        annotations: { readOnlyHint: true, idempotentHint: true },
        inputSchema: {
          type: "object",
          properties: { id: { type: "string", maxLength: 20 } },
          required: ["id"],
          additionalProperties: false,
        },
        _meta: { "recourse/declares": ["rest/not_found"] },
      },
      { name: "putThing", inputSchema: { properties: { size: { type: "integer", minimum: 1 } } } },
    ]);
  });

  test("a call gives text and data", async () => {
    const { call, upstream } = await served(era, (hit, response) =>
      answerJson(response, 200, JSON.parse(String(hit.body))),
    );
    expect(await call("putThing", { id: "a b", size: 2, tags: ["x"] })).toMatchObject({
      content: [{ type: "text", text: '{"size":2,"tags":["x"]}' }],
      structuredContent: { size: 2, tags: ["x"] },
    });
    expect(upstream.hits).toMatchObject([{ method: "PUT", target: "/things/a%20b" }]);
  });

  test("a mistake that the service explains to the caller is no incident, unless its words are hidden", async () => {
    const answer: UpstreamAnswer = (_, response) => answerJson(response, 404, { detail: "This thing was never made." });
    const told = await served(era, answer);
    expect((await told.call("getThing", { id: "a" })).content[0]?.text).toContain("“This thing was never made.”");
    expect(told.incidents).toEqual([]);
    const hidden = await served(era, answer, { foreignText: "hide" });
    expect((await hidden.call("getThing", { id: "a" })).content[0]?.text).not.toContain("never made");
    expect(hidden.incidents).toHaveLength(1);
  });

  test("wrong arguments are reported by pointer and rule, and never sent", async () => {
    const { call, upstream, incidents } = await served(era, (_, response) => answerJson(response, 200, {}));
    const result = await call("putThing", { id: "a", size: 0, colour: "hunter2-hunter2" });
    expect(result).toMatchObject({
      isError: true,
      _meta: {
        "recourse/fault": {
          reason: "tool/invalid_arguments",
          issues: [
            { pointer: "/size", rule: "range" },
            { pointer: "", rule: "unknown" },
          ],
        },
      },
    });
    expect(JSON.stringify(result)).not.toContain("hunter2");
    expect(upstream.hits).toHaveLength(0);
    expect(incidents).toHaveLength(0);
  });

  test("a failure of the service is an answer, and an incident with what the service wrote", async () => {
    const { call, incidents } = await served(era, (_, response) =>
      answerJson(response, 500, { trace: "at db.internal:5432" }),
    );
    const result = await call("putThing", { id: "a", size: 1 });
    expect(result).toMatchObject({
      isError: true,
      _meta: {
        "recourse/fault": { reason: "rest/upstream_failed", effect: "possible", origin: { layer: "upstream" } },
      },
    });
    expect(JSON.stringify(result)).not.toContain("internal:");
    expect(incidents).toMatchObject([{ tool: "putThing", fault: { reason: "rest/upstream_failed" } }]);
    const [incident] = incidents;
    expect(String((incident?.cause as Error | undefined)?.cause)).toContain(
      "PUT /things/{id} answered with status 500",
    );
  });

  test("a raw body is relayed without the server's key", async () => {
    const key = "pl_key_0123456789abcdef";
    const { call, incidents } = await served(
      era,
      (hit, response) => answerJson(response, 422, { error: "archived", saw: hit.headers["authorization"] }),
      { foreignText: "raw", credential: bearer(key) },
    );
    const result = await call("putThing", { id: "a", size: 1 });
    expect(result).toMatchObject({ isError: true, structuredContent: { error: "archived", saw: null } });
    expect(result.structuredContent).toEqual({ error: "archived", saw: null });
    expect(result._meta).toMatchObject({ "recourse/fault": { reason: "rest/wrong_state" } });
    expect(result.content[0]?.text).toBe('{"error":"archived","saw":null}');
    expect(incidents).toEqual([]);
  });

  test("the caller's key is sent on, and its deadline counts", async () => {
    const answer: UpstreamAnswer = (hit, response) =>
      hit.target.endsWith("slow") ? undefined : answerJson(response, 200, {});
    const { bridge, client, upstream } = await served(era, answer, {}, { idempotency: { caller: () => "ann" } });
    bridge.operation("putThing", { idempotencyHeader: "Idempotency-Key" });
    const call = (id: string, meta: object) =>
      client.callTool({
        name: "putThing",
        arguments: { id, size: 1 },
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
    const upstream = await startUpstream((_, response) => {
      response.on("close", () => closed.resolve());
      caller.abort();
    });
    const options = { server: upstream.url, network: { allowPrivate: true }, sink: () => {} };
    const bridge = await openapi(DOCUMENT, options);
    const [near, far] = era === "v1" ? InMemoryV1.createLinkedPair() : InMemoryV2.createLinkedPair();
    await (bridge.register(newServer(era)) as McpServerV2).connect(far as never);
    const client = era === "v1" ? new ClientV1(INFO) : new ClientV2(INFO);
    await client.connect(near as never);
    open.push(client, bridge, upstream);
    const call = client.callTool({ name: "getThing", arguments: { id: "a" } }, ...aborted(era, caller.signal));
    await expect(call).rejects.toThrow();
    await closed.promise;
    expect(upstream.hits).toHaveLength(1);
  });

  function aborted(era: Era, signal: AbortSignal): never[] {
    return (era === "v1" ? [undefined, { signal }] : [{ signal }]) as never[];
  }
});

describe("a caller's own header", () => {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "getThing", arguments: { id: "a" } } };
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
      const upstream = await startUpstream((_, response) => answerJson(response, 200, { ok: true }));
      const credential = forward("x-user-token");
      const bridge = await openapi(DOCUMENT, { server: upstream.url, network: { allowPrivate: true }, credential });
      open.push(bridge, upstream);
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

describe("a server", () => {
  const bridged = async () => {
    const bridge = await openapi(DOCUMENT, { server: "https://api.example" });
    open.push(bridge);
    return bridge;
  };

  test("is guarded if it is not guarded yet, and not twice", async () => {
    const bridge = await bridged();
    const server = new McpServerV2(INFO);
    expect(bridge.register(server)).toBe(server);
    expect(isGuarded(server)).toBe(true);
    const guarded = guard(new McpServerV1(INFO), { sink: () => {} });
    expect(bridge.register(guarded)).toBe(guarded);
  });

  test("that is invalid is refused", async () => {
    const bridge = await bridged();
    expect(() => bridge.register({})).toThrow("McpServer");
  });
});
