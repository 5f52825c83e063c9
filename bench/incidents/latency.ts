import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createTestDatabase } from "@recourse/test-kit/postgres";
import { Pool } from "undici";
import { MODERN_META, modernHeaders } from "../../packages/gateway/test/support/post.ts";

/** How long calls took in one variant. */
export interface Latency {
  readonly name: string;
  readonly calls: number;
  readonly p50: number;
  readonly p99: number;
}

const FILE = fileURLToPath(new URL("gateway.ts", import.meta.url));
/** Calls a second. */
const RATE = 200;

/** The same gateway with and without a flow of incidents into PostgreSQL, in turns. */
export async function compareLatency(options: {
  readonly rounds: number;
  readonly seconds: number;
}): Promise<readonly Latency[]> {
  const database = await createTestDatabase();
  const upstream = await startUpstream();
  const variants = await Promise.all(
    (["without", "with"] as const).map(async (name) => {
      const child = fork(FILE, [name, database.url, upstream.url], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
      const [url] = (await once(child, "message")) as [string];
      return { name, child, pool: new Pool(new URL(url).origin, { connections: 16 }), times: [] as number[] };
    }),
  );
  for (let round = -1; round < options.rounds; round += 1) {
    for (const { child, pool, times } of variants) {
      child.send("on");
      const taken = await load(pool, options.seconds);
      child.send("off");
      // The first round warms up.
      if (round >= 0) times.push(...taken);
    }
  }
  for (const { child, pool } of variants) {
    const ended = once(child, "exit");
    child.disconnect();
    await Promise.all([ended, pool.close()]);
  }
  upstream.close();
  await database.drop();
  return variants.map(({ name, times }) => {
    const sorted = times.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
    return { name, calls: sorted.length, p50: at(0.5), p99: at(0.99) };
  });
}

/** Calls at a fixed rate, whether or not earlier ones were answered. */
async function load(pool: Pool, seconds: number): Promise<readonly number[]> {
  const times: number[] = [];
  const calls: Promise<void>[] = [];
  const started = performance.now();
  for (let number = 0; number < seconds * RATE; number += 1) {
    const due = started + (number * 1_000) / RATE;
    while (performance.now() < due)
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    calls.push(call(pool, number).then((ms) => void times.push(ms)));
  }
  await Promise.all(calls);
  return times;
}

async function call(pool: Pool, number: number): Promise<number> {
  const params = `{"name":"up__echo","arguments":{"fail":${number % 2 === 0}},"_meta":{${MODERN_META}}}`;
  const body = `{"jsonrpc":"2.0","id":${number},"method":"tools/call","params":${params}}`;
  const started = performance.now();
  const headers = modernHeaders("tools/call", "up__echo");
  const answer = await pool.request({ method: "POST", path: "/mcp", headers, body });
  await answer.body.text();
  return performance.now() - started;
}

const TOOLS = [{ name: "echo", inputSchema: { type: "object" } }];
const LIFE = { ttlMs: 600_000, cacheScope: "private" };
const PREPARED: Readonly<Record<string, object>> = {
  "server/discover": {
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    serverInfo: { name: "stub", version: "1.0.0" },
    ...LIFE,
  },
  "tools/list": { tools: TOOLS, ...LIFE },
};

async function startUpstream(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const text = Buffer.concat(pieces).toString();
    const { id, method } = JSON.parse(text) as { id: unknown; method: string };
    const result = PREPARED[method] ?? { content: [{ type: "text", text: "ok" }] };
    const isFailure = text.includes('"fail":true');
    const answer = isFailure
      ? { jsonrpc: "2.0", id, error: { code: -32603, message: "the disk is full" } }
      : { jsonrpc: "2.0", id, result: { resultType: "complete", ...result } };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
