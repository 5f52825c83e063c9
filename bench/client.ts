// What the client kit costs a successful call: CPU per call through the kit, with and without an observer, and through the
// SDK's client alone, in one interleaved run. The bare client is measured twice, so that the difference between the two
// shows what the figures are worth. The server answers from memory: only the client's side is counted.
// `npm run bench -- client`
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { observeTransport, recourse, type TransportObserver } from "@recourse/core/client";

const ROUNDS = 60;
const CALLS = 100;
const INFO = { name: "bench", version: "1.0.0" };
const RESULT = { resultType: "complete", content: [{ type: "text", text: "1" }] };
const URL_ = new URL("http://127.0.0.1/mcp");

/** Answers every request at once. */
async function answer(_url: string | URL, init?: RequestInit): Promise<Response> {
  if (init?.method !== "POST") return new Response(null, { status: 405 });
  const { id, method } = JSON.parse(String(init.body)) as { id?: number; method: string };
  if (id === undefined) return new Response(null, { status: 202 });
  const capabilities = { tools: {} };
  const results: Readonly<Record<string, object>> = {
    initialize: { protocolVersion: "2025-11-25", capabilities, serverInfo: INFO },
    "server/discover": {
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities,
      _meta: { "io.modelcontextprotocol/serverInfo": INFO },
    },
  };
  return Response.json({ jsonrpc: "2.0", id, result: results[method] ?? RESULT });
}

const CLIENTS = {
  "v2 modern": async (fetch: TransportObserver["fetch"]) => {
    const client = new ClientV2(INFO, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
    await client.connect(new TransportV2(URL_, { fetch }));
    return client;
  },
  "v2 legacy": async (fetch: TransportObserver["fetch"]) => {
    const client = new ClientV2(INFO);
    await client.connect(new TransportV2(URL_, { fetch }));
    return client;
  },
  v1: async (fetch: TransportObserver["fetch"]) => {
    const client = new ClientV1(INFO);
    await client.connect(new TransportV1(URL_, { fetch }) as never);
    return client;
  },
};

const median = (all: number[]): number => all.sort((a, b) => a - b)[all.length >> 1] ?? 0;

console.log("client       bare µs  bare again      kit   kit + obs.    A/A %    kit %  obs. %");
for (const [name, connect] of Object.entries(CLIENTS)) {
  const observer = observeTransport({ fetch: answer });
  const [bare, again, plain, seen] = [
    await connect(answer),
    await connect(answer),
    recourse(await connect(answer)),
    recourse(await connect(observer.fetch), { transport: observer }),
  ];
  const subjects = [
    () => bare.callTool({ name: "one", arguments: { n: 1 } }),
    () => again.callTool({ name: "one", arguments: { n: 1 } }),
    () => plain.call("one", { n: 1 }),
    () => seen.call("one", { n: 1 }),
  ];
  const cpu: number[][] = subjects.map(() => []);
  for (let round = -10; round < ROUNDS; round++) {
    for (const [index, run] of subjects.entries()) {
      const before = process.cpuUsage();
      for (let call = 0; call < CALLS; call++) await run();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) cpu[index]?.push((user + system) / CALLS);
    }
  }
  const medians = cpu.map(median);
  const percent = medians.map((us) => `${((100 * us) / (medians[0] ?? 1) - 100).toFixed(1)}`.padStart(8));
  const cells = medians.map((us) => us.toFixed(0).padStart(9));
  console.log(`${name.padEnd(11)} ${cells.join("   ")}   ${percent.slice(1).join(" ")}`);
}
process.exit();
