// The list of tools has the statuses of Platica for the failures that the document of the API declares.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { platica } from "@recourse/dialects/platica";
import { afterAll, expect, test } from "vitest";
import { createTestEnvironment, KEYS } from "./support/test-environment.ts";

const environment = await createTestEnvironment();
afterAll(() => environment.close());

test("every declared failure has the status that Platica writes for it", async () => {
  const client = new Client({ name: "test", version: "0.0.0" });
  const requestInit = { headers: { authorization: `Bearer ${KEYS.north}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", environment.mcp), { requestInit }));
  const { tools } = await client.listTools();
  await client.close();
  const declaring = tools.filter(({ _meta }) => (_meta?.["recourse/declares"] as unknown[] | undefined)?.length);
  expect(declaring.length).toBeGreaterThan(0);
  for (const { _meta = {} } of declaring) {
    const codes = _meta["recourse/codes"] as readonly unknown[];
    expect(codes).toHaveLength((_meta["recourse/declares"] as readonly unknown[]).length);
    for (const code of codes) expect(Object.keys(platica.codes.published())).toContain(String(code));
  }
});
