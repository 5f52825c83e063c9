import { Client as ClientV2, InMemoryTransport as InMemoryV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport as InMemoryV1 } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer as McpServerV1 } from "@modelcontextprotocol/sdk/server/mcp.js";
import { McpServer as McpServerV2 } from "@modelcontextprotocol/server";
import type { AnyClient, AnyServer } from "@recourse/test-kit/sdk-pairs";
import { expectCost } from "@recourse/test-kit/yardstick";
import { expect, test } from "vitest";
import * as z from "zod";
import { guard } from "../../../src/server/index.ts";

const INFO = { name: "many", version: "1.0.0" };
const TOOLS = 300;
/** The tools of the server that it is compared with. */
const FEW = 8;

/** A schema of its own for each tool, as in real servers. */
const schemaOf = (index: number) =>
  z.object({
    id: z.number().int().min(index),
    items: z.array(z.object({ sku: z.string().regex(/^[A-Z]{3}-\d{4}$/), quantity: z.number().int().positive() })),
    note: z.string().max(200).optional(),
    kind: z.enum(["a", "b", "c"]),
  });

async function wrongCall(client: AnyClient, name: string): Promise<string> {
  const result = (await client.callTool({ name, arguments: { id: "x" } })) as { content: { text: string }[] };
  return result.content[0]?.text ?? "";
}

test.each([
  ["v1", () => new McpServerV1(INFO), () => new ClientV1(INFO), () => InMemoryV1.createLinkedPair()],
  ["v2", () => new McpServerV2(INFO), () => new ClientV2(INFO), () => InMemoryV2.createLinkedPair()],
] as const)("%s: a wrong argument is cheap on a server with 300 tools", async (_version, create, connect, link) => {
  const connectTo = async (tools: number) => {
    const server = create();
    const any = server as unknown as AnyServer;
    for (let index = 0; index < tools; index++) {
      any.registerTool(`tool_${index}`, { inputSchema: schemaOf(index) as never }, () => ({ content: [] }));
    }
    guard(server, { sink: () => {} });
    const [near, far] = link();
    await server.connect(far as never);
    const client = connect() as unknown as AnyClient & { connect(transport: unknown): Promise<void> };
    await client.connect(near);
    expect(Object.keys((server as unknown as { _registeredTools: object })._registeredTools)).toHaveLength(tools);
    return client;
  };
  const [many, few] = [await connectTo(TOOLS), await connectTo(FEW)];
  expect(await wrongCall(many, "tool_7")).toContain("id must be an integer of at least 7");
  const callAll = async (client: AnyClient) => {
    for (let count = 0; count < FEW; count++) await wrongCall(client, `tool_${count}`);
  };
  // Were all schemas converted for a call, it would cost some fifty times as much.
  await expectCost({ work: () => callAll(many), yardstick: () => callAll(few), atMost: 8 });
  await many.close();
  await few.close();
});
