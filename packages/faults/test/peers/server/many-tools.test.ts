import { Client as ClientV2, InMemoryTransport as InMemoryV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as InMemoryV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import type { AnyClient, AnyServer } from "@recourse/test-kit/sdk-pairs";
import { expect, test } from "vitest";
import * as z from "zod";
import { guard } from "../../../src/server/index.ts";

const INFO = { name: "many", version: "1.0.0" };
const TOOLS = 300;

/** A schema of its own for each tool, as in real servers. */
const schemaOf = (index: number) =>
  z.object({
    id: z.number().int().min(index),
    items: z.array(z.object({ sku: z.string().regex(/^[A-Z]{3}-\d{4}$/), quantity: z.number().int().positive() })),
    note: z.string().max(200).optional(),
    kind: z.enum(["a", "b", "c"]),
  });

async function wrongCall(client: AnyClient, name: string): Promise<{ ms: number; text: string }> {
  const started = performance.now();
  const result = (await client.callTool({ name, arguments: { id: "x" } })) as { content: { text: string }[] };
  return { ms: performance.now() - started, text: result.content[0]?.text ?? "" };
}

test.each([
  ["v1", () => new McpServerV1(INFO), () => new ClientV1(INFO), () => InMemoryV1.createLinkedPair()],
  ["v2", () => new McpServerV2(INFO), () => new ClientV2(INFO), () => InMemoryV2.createLinkedPair()],
] as const)("%s: a wrong argument is cheap on a server with 300 tools", async (_version, create, connect, link) => {
  const server = create();
  const any = server as unknown as AnyServer;
  for (let index = 0; index < TOOLS; index++) {
    any.registerTool(`tool_${index}`, { inputSchema: schemaOf(index) as never }, () => ({ content: [] }));
  }
  guard(server, { sink: () => {} });
  const [near, far] = link();
  await server.connect(far as never);
  const client = connect() as unknown as AnyClient & { connect(transport: unknown): Promise<void> };
  await client.connect(near);
  const first = await wrongCall(client, "tool_7");
  expect(first.text).toContain("id must be an integer of at least 7");
  const times: number[] = [];
  for (let count = 0; count < 15; count++) times.push((await wrongCall(client, `tool_${count}`)).ms);
  await client.close();
  const fastest = Math.min(...times);
  // Alone it takes about a millisecond with the client's part; converting all schemas takes fifty.
  expect(fastest).toBeLessThan(25);
  expect(Object.keys((server as unknown as { _registeredTools: object })._registeredTools)).toHaveLength(TOOLS);
});
