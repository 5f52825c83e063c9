// The client of the official SDK answers a server of the SDK by itself, through gateways that take turns.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { startConformanceServer } from "@recourse/test-kit/conformance-server";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { headersOf } from "../idempotency/support/call.ts";
import { START_MS, startEngines } from "../idempotency/support/replicas.ts";
import { httpUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";

let engines: Awaited<ReturnType<typeof startEngines>>;
let server: Awaited<ReturnType<typeof startConformanceServer>>;
beforeAll(async () => {
  engines = await startEngines();
  server = await startConformanceServer({ guarded: false });
}, START_MS);
afterAll(async () => {
  await server?.close();
  await engines?.close();
});

test.each([
  ["elicitation", "Hello, Ada!"],
  ["request_state", "state-ok"],
  ["multi_round", "Ada"],
])("%s, each round at another replica, with a key", async (name, said) => {
  const options = engines.shared({ upstreams: [httpUpstream(server.url, { era: "auto" })] });
  const urls = [(await startTestGateway(options)).url, (await startTestGateway(options)).url];
  let turn = 0;
  const client = new Client(
    { name: "client", version: "1.0.0" },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  client.setRequestHandler("elicitation/create", ({ params }) => {
    const asked = Object.keys("requestedSchema" in params ? params.requestedSchema.properties : {});
    return { action: "accept", content: Object.fromEntries(asked.map((field) => [field, field === "ok" || "Ada"])) };
  });
  const { authorization = "" } = headersOf();
  await client.connect(
    new StreamableHTTPClientTransport(urls[0] as URL, {
      requestInit: { headers: { authorization } },
      fetch: (_, init) => fetch(urls[turn++ % 2] as URL, init),
    }),
  );
  onTestFinished(() => client.close());
  const result = await client.callTool({
    name: `up__test_input_required_result_${name}`,
    arguments: {},
    _meta: { "recourse/call": { key: `${name} 1` } },
  });
  expect(JSON.stringify(result.content)).toContain(said);
});
