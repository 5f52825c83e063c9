// Prints what runs in everyday flows: the files with a function that was called, and how often faults were decoded and built.
import { createServer } from "node:http";
import { Session } from "node:inspector/promises";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { openapi } from "@recourse/bridge";
import { observeTransport, recourse } from "@recourse/core/client";
import { guard } from "@recourse/core/server";
import { loadConfig, startGateway } from "@recourse/gateway";
import { readWebRequest } from "@recourse/test-kit/loopback";

type Flow = () => Promise<() => Promise<unknown>>;

async function listen(handler: Parameters<typeof createServer>[1]) {
  const server = createServer(handler).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  closers.push(() => server.close());
  closers.push(() => server.closeAllConnections());
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
}
const closers: (() => unknown)[] = [];

async function serve(fetch: (request: Request) => Promise<Response>) {
  return listen(async (incoming, outgoing) => {
    const response = await fetch(await readWebRequest(incoming));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
}

const handlerThrows: Flow = async () => {
  const make = () => {
    const server = guard(new McpServer({ name: "orders", version: "1.0.0" }), { sink: (one) => void one });
    server.registerTool("cancel", { description: "Cancels." }, async () => {
      throw new Error("connect ECONNREFUSED 10.0.0.5:5432");
    });
    return server;
  };
  const { fetch } = createMcpHandler(make);
  const url = await serve((request) => fetch(request));
  const client = new Client({ name: "c", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(url));
  closers.push(() => client.close());
  return () => client.callTool({ name: "cancel", arguments: {} });
};

const busyThenSuccess: Flow = async () => {
  const { fetch } = createMcpHandler(() => {
    const server = new McpServer({ name: "orders", version: "1.0.0" });
    server.registerTool("read", { description: "Reads." }, async () => ({ content: [{ type: "text", text: "ok" }] }));
    return server;
  });
  let busy = 0;
  const url = await serve(async (request) => {
    const body = await request.clone().text();
    if (body.includes('"tools/call"') && busy-- > 0)
      return new Response("busy", { status: 503, headers: { "retry-after": "0" } });
    return fetch(request);
  });
  const transport = observeTransport();
  const client = new Client({ name: "c", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(url, { fetch: transport.fetch }));
  closers.push(() => client.close());
  const mcp = recourse(client, { transport, testing: { clock: { sleep: async () => {} } } });
  return () => {
    busy = 1;
    return mcp.call("read", {}, { repeatable: true });
  };
};

const rest422: Flow = async () => {
  const url = await listen((_, outgoing) => {
    outgoing.writeHead(422, { "content-type": "application/json" });
    outgoing.end('{"errors":{"email":["is not an email address"]}}');
  });
  const document = {
    openapi: "3.1.0",
    info: {},
    paths: {
      "/clients": {
        post: {
          operationId: "createClient",
          requestBody: {
            content: { "application/json": { schema: { type: "object", properties: { email: { type: "string" } } } } },
          },
        },
      },
    },
  };
  const api = await openapi(document, { server: url.origin, network: { allowPrivate: true } });
  closers.push(() => api.close());
  return () => api.call("createClient", { email: "x" });
};

/** A call through a gateway with a limit, in memory. */
function throughGateway(handler: () => Promise<{ content: { type: "text"; text: string }[] }>): Flow {
  return async () => {
    const { fetch } = createMcpHandler(() => {
      const server = new McpServer({ name: "orders", version: "1.0.0" });
      server.registerTool("read", { description: "Reads." }, handler);
      return server;
    });
    const upstream = await serve((request) => fetch(request));
    const text = `listen: 127.0.0.1:0
store: memory
authentication: none
upstreams: { orders: { url: "${upstream}" } }
limits: { address: { rate: 1000/s, burst: 1000 } }
`;
    const loaded = loadConfig(text, { environment: {} });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    const gateway = await startGateway(loaded.config);
    closers.push(() => gateway.close());
    const client = new Client({ name: "c", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(gateway.url));
    closers.push(() => client.close());
    return () => client.callTool({ name: "orders__read", arguments: {} });
  };
}

for (const [name, flow] of Object.entries({
  "a handler throws": handlerThrows,
  "503, then success": busyThenSuccess,
  "422 from a REST API": rest422,
  "a success through the gateway": throughGateway(async () => ({ content: [{ type: "text", text: "ok" }] })),
  "a failure through the gateway": throughGateway(async () => {
    throw new Error("connect ECONNREFUSED 10.0.0.5:5432");
  }),
})) {
  const run = await flow();
  await run();
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const result = await run();
  const { result: scripts } = await session.post("Profiler.takePreciseCoverage");
  session.disconnect();
  const ours = scripts.filter(({ url }) => /\/packages\/[a-z]+\/src\//.test(url));
  const called = ours.filter(({ functions }) =>
    functions.some((one) => one.functionName !== "" && one.ranges[0]?.count),
  );
  const count = (pattern: RegExp) => {
    const all = ours.flatMap(({ functions, url }) => functions.map((one) => ({ ...one, url })));
    return all
      .filter((one) => pattern.test(`${fileURLToPath(one.url)} ${one.functionName}`))
      .reduce((sum, one) => sum + (one.ranges[0]?.count ?? 0), 0);
  };
  console.log(
    `${name}: ${called.length} files, decoded ${count(/dialects\/\S+ (?:decode[A-Z]\w*|readLocalError)$/)}, built ${count(/fault\/build\.ts buildFault$/)}, read ${count(/fault\/read\.ts read(?:Sent|Own)Fault$/)}`,
  );
  if (process.argv.includes("--files"))
    for (const { url } of called) console.log(`  ${fileURLToPath(url).split("/packages/")[1]}`);
  if (process.argv.includes("--result")) console.log(JSON.stringify(result));
}
for (const close of closers.reverse()) await close();
