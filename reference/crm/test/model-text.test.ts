// What a model reads of Platica's failures through the client kit: the words of the API, and which argument to change.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { platica } from "@recourse/dialects/platica";
import { render } from "@recourse/faults";
import { recourse } from "@recourse/faults/client";
import { afterAll, describe, expect, test } from "vitest";
import { createTestEnvironment, KEYS } from "./support/test-environment.ts";
import { bearer } from "./support/tool-call.ts";

const environment = await createTestEnvironment();
afterAll(() => environment.close());

/** Calls a tool as an agent does, and returns what its model reads. */
async function textOf(key: string, tool: string, args: Readonly<Record<string, unknown>>, named: boolean) {
  const client = new Client({ name: "agent", version: "1.0.0" });
  const requestInit = { headers: { authorization: bearer(key) } };
  await client.connect(new StreamableHTTPClientTransport(new URL("/mcp", environment.mcp), { requestInit }));
  const outcome = await recourse(client, named ? { server: { dialect: platica } } : {}).call(tool, args);
  await client.close();
  return outcome.ok ? "" : render(outcome.fault, { for: "model" });
}

describe.each([
  ["with the dialect", true],
  ["without a dialect", false],
])("%s", (_about, named) => {
  test("what does not exist", async () => {
    const text = await textOf(KEYS.north, "getClient", { id: "99" }, named);
    expect(text).toContain("Client not found");
  });

  test("a missing workspace", async () => {
    const text = await textOf(KEYS.both, "getClient", { id: "1" }, named);
    expect(text).toContain("the id of one workspace");
    expect(text).toContain("“workspace”: “Required: expected the id of one workspace.”");
  });
});
