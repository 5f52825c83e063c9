// The client of the official SDK is pinned to the newer era, and answers servers of the older one by itself.
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { eventually } from "@recourse/test-kit/eventually";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { UpstreamConfig } from "../../src/config/types.ts";
import { headersOf } from "../idempotency/support/call.ts";
import { START_MS, startEngines } from "../idempotency/support/replicas.ts";
import { httpUpstream, stdioUpstream } from "../support/config.ts";
import { startTestGateway } from "../support/gateway.ts";
import { ownFetch } from "../support/own-fetch.ts";
import { startAsker } from "./asking-server.ts";
import { holdAskingTime } from "./support.ts";

let engines: Awaited<ReturnType<typeof startEngines>>;
beforeAll(async () => {
  engines = await startEngines();
}, START_MS);
afterAll(() => engines?.close());

beforeEach(holdAskingTime);

const CHILD = fileURLToPath(new URL("asking-child.ts", import.meta.url));

function stdio(version: "v1" | "v2", per: "replica" | "caller"): UpstreamConfig {
  const command = [process.execPath, "--no-warnings", "--conditions=@recourse/source", CHILD, version] as const;
  return stdioUpstream(command, { per });
}

/** Each way to a server of the older era. */
const SERVERS: Readonly<Record<string, () => Promise<UpstreamConfig>>> = {
  "version 1 over HTTP": () => http("v1"),
  "version 2 over HTTP": () => http("v2"),
  "version 1 over stdio, a child for all": () => Promise.resolve(stdio("v1", "replica")),
  "version 1 over stdio, a child for each caller": () => Promise.resolve(stdio("v1", "caller")),
};

async function http(version: "v1" | "v2"): Promise<UpstreamConfig> {
  const server = await startAsker(version);
  onTestFinished(() => server.close());
  return httpUpstream(server.url, { era: "2025-11-25" });
}

/** A client whose requests take turns among the replicas. */
async function connect(upstream: UpstreamConfig) {
  const options = engines.shared({ upstreams: [upstream] });
  const urls = [(await startTestGateway(options)).url, (await startTestGateway(options)).url];
  let turn = 0;
  const asked: string[] = [];
  const client = new Client(
    { name: "client", version: "1.0.0" },
    {
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    },
  );
  client.setRequestHandler("elicitation/create", ({ params }) => {
    asked.push(params.message);
    return { action: "accept", content: { city: `Rome ${asked.length}` } };
  });
  client.setRequestHandler("sampling/createMessage", () => {
    asked.push("sample");
    return { role: "assistant", content: { type: "text", text: "blue" }, model: "m" };
  });
  client.setRequestHandler("roots/list", () => {
    asked.push("roots");
    return { roots: [{ uri: "file:///home" }] };
  });
  const { authorization = "" } = headersOf();
  const fetchHere = ownFetch();
  await client.connect(
    new StreamableHTTPClientTransport(urls[0] as URL, {
      requestInit: { headers: { authorization } },
      fetch: (_, init) => fetchHere(urls[turn++ % 2] as URL, init),
    }),
  );
  onTestFinished(() => client.close());
  return { client, asked };
}

describe.each(Object.keys(SERVERS))("the client of the SDK and a server of %s", (name) => {
  const start = async () => connect(await (SERVERS[name] as () => Promise<UpstreamConfig>)());

  it("asks and answers five times, at replicas in turn", async () => {
    const { client, asked } = await start();
    const { content } = await client.callTool({ name: "up__ask", arguments: { times: 5 } });
    expect(asked).toEqual([1, 2, 3, 4, 5].map((at) => `up: Question ${at}?`));
    for (let at = 1; at <= 5; at++) expect(JSON.stringify(content)).toContain(`Rome ${at}`);
  });

  it("asks for a form, a sample and roots at once, with a key", async () => {
    const { client, asked } = await start();
    const call = {
      name: "up__together",
      arguments: {},
      _meta: { "recourse/call": { key: `together ${name}` } },
    };
    const { content } = await client.callTool(call);
    const text = JSON.stringify(content);
    expect(text).toContain("Rome");
    expect(text).toContain("blue");
    // A child for all is not told that callers have roots.
    if (!name.endsWith("for all")) expect(text).toContain("file:///home");
    const count = asked.length;
    await eventually(async () => expect(JSON.stringify((await client.callTool(call)).content)).toBe(text));
    expect(asked).toHaveLength(count);
  });
});

it("prompts ask too", async () => {
  const { client, asked } = await connect(await http("v1"));
  const prompt = await client.getPrompt({ name: "up__greet" });
  expect(JSON.stringify(prompt)).toContain("Rome 1");
  expect(asked).toEqual(["up: Name?"]);
});
