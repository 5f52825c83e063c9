import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { McpServer } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import * as z from "zod";
import { http } from "../../dialects/index.ts";
import { FaultError } from "../../fault/error.ts";
import { readFault } from "../../fault/read-fault.ts";
import { unavailable } from "../../reasons/library/core.ts";
import { guard } from "../guard.ts";

// What the author of a tool says about it counts, however the call fails.

const never = () => new Promise<never>(() => {});
const FAILURES = {
  late: { run: never, reason: "tool/timeout", move: "retry" },
  throws: { run: () => Promise.reject(new Error("x")), reason: "core/internal", move: "stop" },
  breaks_its_schema: {
    run: async () => ({ content: [], structuredContent: { n: "one" } }),
    reason: "tool/output_invalid",
    move: "stop",
  },
  returns_nothing: { run: async () => undefined, reason: "tool/output_invalid", move: "stop" },
  returns_a_bigint: {
    run: async () => ({ content: [], structuredContent: { n: 1, big: 1n } }),
    reason: "tool/result_unsendable",
    move: "stop",
  },
} as const;

async function faultOf(name: keyof typeof FAILURES, readOnlyHint: boolean) {
  const server = guard(new McpServer({ name: "s", version: "1" }), { sink: () => {}, deadlineMs: 30 });
  const config = { annotations: { readOnlyHint }, outputSchema: z.looseObject({ n: z.number() }) };
  server.registerTool(name, config, FAILURES[name].run as never);
  const client = new Client({ name: "c", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(here), client.connect(there)]);
  const { _meta } = await client.callTool({ name });
  await client.close();
  return readFault(_meta?.["recourse/fault"]);
}

test.each(Object.entries(FAILURES))("%s: a tool that only reads changed nothing", async (name, { reason, move }) => {
  const fault = await faultOf(name as keyof typeof FAILURES, true);
  expect(fault).toMatchObject({ reason, effect: "none", recourse: [{ do: move }] });
});

test.each(Object.entries(FAILURES))("%s: any other tool may have changed something", async (name, { reason }) => {
  expect(await faultOf(name as keyof typeof FAILURES, false)).toMatchObject({ reason, effect: "possible" });
});

test("a fault of the author says itself what it may have changed", async () => {
  const server = guard(new McpServer({ name: "s", version: "1" }), { sink: () => {} });
  server.registerTool("read", { annotations: { readOnlyHint: true } }, () => Promise.reject(unavailable()));
  const client = new Client({ name: "c", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(here), client.connect(there)]);
  const { _meta } = await client.callTool({ name: "read" });
  await client.close();
  expect(readFault(_meta?.["recourse/fault"])).toMatchObject({ reason: "core/unavailable", effect: "possible" });
});

test("the reply of a service does not know what the tool does, so the author's word about the tool counts", async () => {
  const fault = http.decode({ status: 503, headers: { "retry-after": "1" } }, { httpMethod: "GET" });
  if (fault === undefined) throw new Error("a 503 is a failure");
  const server = guard(new McpServer({ name: "s", version: "1" }), { sink: () => {} });
  server.registerTool("read", { annotations: { readOnlyHint: true } }, () => Promise.reject(new FaultError(fault)));
  const client = new Client({ name: "c", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(here), client.connect(there)]);
  const { _meta } = await client.callTool({ name: "read" });
  await client.close();
  expect(readFault(_meta?.["recourse/fault"])).toMatchObject({ kind: "unavailable", effect: "none", basis: "mapped" });
});

test("a resource that cannot be read changed nothing, whatever its handler threw", async () => {
  const server = guard(new McpServer({ name: "s", version: "1" }), { sink: () => {} });
  server.registerResource("r", "shop://prices", {}, () => Promise.reject(new Error("x")));
  const client = new Client({ name: "c", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(here), client.connect(there)]);
  const error = await client.readResource({ uri: "shop://prices" }).catch((thrown: unknown) => thrown);
  await client.close();
  const { data } = error as { data: Readonly<Record<string, unknown>> };
  expect(readFault(data["recourse/fault"])).toMatchObject({ reason: "core/internal", effect: "none" });
});
