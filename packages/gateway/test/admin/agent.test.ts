// An agent asks about an incident: an MCP client, a gateway, and the API of another gateway as its upstream.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { expect, it, onTestFinished } from "vitest";
import type { UpstreamConfig } from "../../src/config/types.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { callEcho } from "../support/post.ts";
import { sendJson, startStubUpstream } from "../support/stub-upstream.ts";
import { ADMIN, keyOf } from "./support.ts";

/** A gateway whose upstream fails, and the id of one of its incidents. */
async function watchedGateway() {
  const upstream = await startStubUpstream((_, response) => sendJson(response, '{"error":"database is gone"}', 500));
  const gateway = await startTestGateway({ admin: ADMIN, upstreams: [httpUpstream(upstream.url)] });
  const answer = await callEcho(gateway.url);
  const incident = /incident (\w{26})/.exec(answer.text)?.[1];
  if (gateway.adminUrl === undefined || incident === undefined) throw new Error(answer.text);
  return { adminUrl: gateway.adminUrl, incident };
}

async function agentOf(adminUrl: URL): Promise<Client> {
  const ops: UpstreamConfig = {
    ...{ kind: "openapi", document: `${adminUrl.href}/openapi.json`, server: undefined, name: "ops", prefix: "ops__" },
    ...{
      foreignText: "public",
      speaksFaults: true,
      trustAnnotations: true,
      dialect: undefined,
      timeoutMs: 30_000,
      honoursKeys: false,
    },
    credential: { kind: "bearer", token: keyOf("viewer") },
  };
  const gateway = await startTestGateway({ upstreams: [ops] });
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(gateway.url));
  onTestFinished(() => client.close());
  return client;
}

it("an agent gets an incident by the id that another agent was told", async () => {
  const { adminUrl, incident } = await watchedGateway();
  const agent = await agentOf(adminUrl);
  const { tools } = await agent.listTools();
  const hints = new Map(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]));
  expect(hints.get("ops__getIncident")).toBe(true);
  expect(hints.get("ops__searchIncidents")).toBe(true);
  expect(hints.get("ops__resetBreaker")).toBe(false);
  await expect
    .poll(async () => {
      const got = await agent.callTool({ name: "ops__getIncident", arguments: { id: incident } });
      return got.structuredContent;
    })
    .toMatchObject({ id: incident, upstream: "up", tool: "up__echo" });
  const found = await agent.callTool({ name: "ops__searchIncidents", arguments: { upstream: "up", limit: 5 } });
  expect(found.structuredContent).toMatchObject({ items: [{ id: incident }], next: null });
});

it("an agent learns what is wrong with its question, and that there is no such incident", async () => {
  const { adminUrl } = await watchedGateway();
  const agent = await agentOf(adminUrl);
  const missing = await agent.callTool({ name: "ops__getIncident", arguments: { id: "01M7HXRMR83H8Q9JKGBAVMDXX9" } });
  expect(missing.isError).toBe(true);
  expect(missing._meta).toMatchObject({ "recourse/fault": { kind: "not_found", reason: "core/not_found" } });
  const wrong = await agent.callTool({ name: "ops__searchIncidents", arguments: { since: "yesterday" } });
  expect(wrong._meta).toMatchObject({
    "recourse/fault": { kind: "invalid_input", issues: [{ pointer: "/since", rule: "format" }] },
  });
});

it("an agent with the key of a viewer changes nothing", async () => {
  const { adminUrl } = await watchedGateway();
  const agent = await agentOf(adminUrl);
  const refused = await agent.callTool({ name: "ops__eraseCallerIncidents", arguments: { caller: "x" } });
  expect(refused.isError).toBe(true);
  expect(refused._meta).toMatchObject({ "recourse/fault": { reason: "rest/upstream_forbidden", effect: "none" } });
});
