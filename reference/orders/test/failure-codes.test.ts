// The list of tools has the codes of onX for the failures that the adapter declares.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onx } from "@recourse/dialects/onx";
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

test.each(ADAPTER_NAMES)("the code of a backend that is down is the one that the tool lists: %s", async (adapter) => {
  const client = new Client({ name: "test", version: "0.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL(`/${adapter}`, environment.server.url)));
  const { tools } = await client.listTools();
  const { _meta = {} } = tools.find(({ name }) => name === "get_order") ?? {};
  const [reasons, codes] = ["recourse/declares", "recourse/codes"].map((key) => _meta[key] as readonly unknown[]);
  const proxy = adapter === "postgres" ? environment.databaseProxy : environment.serviceProxy;
  proxy.disconnect();
  const failed = await client.callTool({ name: "get_order", arguments: { order_id: "ORD-1001" } });
  proxy.reconnect();
  await client.close();
  const { code } = failed["error"] as { readonly code: number };
  expect(code).toBe(4002);
  expect(codes?.[reasons?.indexOf("adapter/unavailable") ?? -1]).toBe(code);
});
