// The list of tools has the codes of onX for the failures that the adapter declares.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onx } from "@recourse/faults/dialects";
import { afterAll, expect, test } from "vitest";
import { ADAPTER_NAMES } from "../src/mcp/start.ts";
import { createTestEnvironment } from "./support/test-environment.ts";

const environment = await createTestEnvironment();
afterAll(() => environment.close());

test.each(ADAPTER_NAMES)("every tool lists codes of onX, and a wrong order has one of them: %s", async (adapter) => {
  const client = new Client({ name: "test", version: "0.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`/${adapter}`, environment.server.url)));
  const { tools } = await client.listTools();
  const missing = await client.callTool({ name: "get_order", arguments: { order_id: "ORD-9999" } });
  await client.close();
  const listed = tools.map(({ name, _meta = {} }) => {
    const [reasons, codes] = ["recourse/declares", "recourse/codes"].map((key) => _meta[key] as readonly unknown[]);
    return { name, reasons, codes };
  });
  for (const { reasons, codes } of listed) {
    expect(codes).toHaveLength(reasons?.length ?? 0);
    for (const code of codes ?? []) expect(Object.keys(onx.codes.published())).toContain(String(code));
  }
  const { code } = missing["error"] as { readonly code: number };
  expect(listed.find(({ name }) => name === "get_order")?.codes).toContain(code);
});
