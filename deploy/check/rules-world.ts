// A gateway as operators run it, with stores and upstreams that can be broken: for the scenes of the runbooks.
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { loadConfig, startGateway } from "@recourse/gateway";
import { answerJson, type PostedCall, toolCallRequest } from "@recourse/test-kit/loopback";
import { freePort } from "@recourse/test-kit/network";
import { createTestDatabase, type TestDatabase } from "@recourse/test-kit/postgres";
import { createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import { endProcess, waitFor } from "./rules-prometheus.ts";

const ROOT = join(import.meta.dirname, "../..");
const CALLER_KEY = "rk_scene_0123456789abcdef0123456789abcdef";
/** The key of the operator, who may do everything. */
export const OPERATOR_KEY = "rk_scene_operator_0123456789abcdef0123456789";
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The upstreams. The last one is not there at first. */
const UPSTREAMS = ["shop", "till", "crm"] as const;
type UpstreamName = (typeof UPSTREAMS)[number];

const TOOLS = ["ok", "broken", "lost", "refund", "odd"];
const CACHED = { resultType: "complete", ttlMs: 600_000, cacheScope: "private" };
const RESULTS: Readonly<Record<string, object>> = {
  "server/discover": {
    ...CACHED,
    supportedVersions: ["2026-07-28"],
    capabilities: { tools: {} },
    serverInfo: { name: "scene", version: "1.0.0" },
  },
  "tools/list": { ...CACHED, tools: TOOLS.map((name) => ({ name, inputSchema: { type: "object" } })) },
};
/** Calls of the tool `lost` wait for each other, since the breaker would refuse those that come later. */
const LOST_TOGETHER = 30;

/** An MCP server with a fixed port, which can go and come back. */
interface SceneUpstream {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

async function createUpstream(): Promise<SceneUpstream> {
  const port = await freePort();
  const lost: ServerResponse[] = [];
  const answer = async (text: string, response: ServerResponse) => {
    const { id, method, params } = JSON.parse(text) as { id?: unknown; method: string; params?: { name?: string } };
    if (id === undefined) return void response.writeHead(202).end();
    if (params?.name === "broken") return answerJson(response, 503, {});
    if (params?.name === "lost") {
      if (lost.push(response) >= LOST_TOGETHER) for (const one of lost.splice(0)) one.destroy();
      return;
    }
    const result = RESULTS[method] ?? { resultType: "complete", content: [{ type: "text", text: "ok" }] };
    answerJson(response, 200, { jsonrpc: "2.0", id, result });
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    await answer(Buffer.concat(chunks).toString() || "{}", response);
  });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    start: () => new Promise((resolve) => server.listen(port, "127.0.0.1", resolve)),
    stop: () =>
      new Promise((resolve) => {
        if (!server.listening) return resolve();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** What the scenes work with. */
export interface World {
  readonly folder: string;
  readonly adminUrl: string;
  /** Where Prometheus finds the metrics: of the gateway, and of two with `store: memory`. */
  readonly targets: { readonly gateway: readonly string[]; readonly memory: readonly string[] };
  readonly upstreams: Readonly<Record<UpstreamName, SceneUpstream>>;
  readonly database: TestDatabase;
  readonly redis: RedisServer;
  /** Tools that are called over and over. */
  readonly load: Set<string>;
  /** Calls a tool, and gives the text of the answer. */
  call(tool: string, args?: object): Promise<string>;
  /** Writes the file of the gateway, and lets it read it. `more` are further lines. */
  reload(more: string): Promise<void>;
  stopGateway(): Promise<void>;
  startGateway(): Promise<void>;
  /** Ends the second process with `store: memory`. */
  stopSecond(): Promise<void>;
  /** Runs a command of an operator in the folder of the file. */
  run(command: string): Promise<{ readonly exit: number; readonly output: string }>;
  log(): string;
  metrics(): Promise<string>;
  close(): Promise<void>;
}

/** Starts everything. Close it. */
export async function startWorld(): Promise<World> {
  const closing: (() => unknown)[] = [];
  const close = async () => {
    for (const one of closing.splice(0).toReversed()) await one();
  };
  try {
    return await buildWorld(closing, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function buildWorld(closing: (() => unknown)[], close: () => Promise<void>): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), "runbooks-"));
  closing.push(() => rmSync(folder, { recursive: true, force: true }));
  const database = await createTestDatabase();
  closing.push(() => database.drop());
  const redis = await createRedisServer({ durable: false });
  closing.push(() => redis.close());
  const [shop, till, crm] = await Promise.all(UPSTREAMS.map(createUpstream));
  const upstreams = { shop, till, crm } as World["upstreams"];
  for (const one of Object.values(upstreams)) closing.push(() => one.stop());
  await Promise.all([upstreams.shop.start(), upstreams.till.start()]);

  const [port, adminPort] = [await freePort(), await freePort()];
  const file = `listen: 127.0.0.1:${port}
store: { redis: "${redis.url}", postgres: "${database.url}" }
keys: [{ id: agent, tenant: acme, sha256: "${sha256(CALLER_KEY)}" }]
upstreams:
${UPSTREAMS.map((name) => `  ${name}: { url: "${upstreams[name].url}", era: "2026-07-28" }`).join("\n")}
limits: { key: { rate: 1000/s, burst: 1000 } }
away: { limits: open }
approvals: { tools: [shop__refund, shop__odd] }
breaker: { failures: 5, pause: 1s, maxPause: 2s }
admin: { listen: "127.0.0.1:${adminPort}", keys: [{ id: ann, sha256: "${sha256(OPERATOR_KEY)}", role: admin }] }
`;
  const path = join(folder, "gateway.yaml");
  const logFile = join(folder, "gateway.log");
  writePrograms(join(folder, "bin"));
  const env = {
    ...process.env,
    PATH: `${join(folder, "bin")}${delimiter}${process.env["PATH"]}`,
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"] ?? join(ROOT, ".cache/compiled"),
    NO_COLOR: "1",
  };
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  let child: ChildProcess | undefined;
  const world: World = {
    folder,
    adminUrl: `http://127.0.0.1:${adminPort}`,
    targets: { gateway: [url.host], memory: [] },
    upstreams,
    database,
    redis,
    load: new Set(),
    call: (tool, args = {}) => callAs(CALLER_KEY, url, { tool, args }),
    async reload(more) {
      writeFileSync(path, `${file}${more}\n`);
      child?.kill("SIGHUP");
    },
    async startGateway() {
      writeFileSync(path, file);
      const log = openSync(logFile, "a");
      const started = spawn("recourse", ["serve", "gateway.yaml"], {
        cwd: folder,
        env,
        stdio: ["ignore", "ignore", log],
      });
      closeSync(log);
      child = started;
      await waitFor("the gateway is ready", async () => {
        if (started.exitCode !== null)
          throw new Error(`the gateway ended: ${readFileSync(logFile, "utf8").slice(-2_000)}`);
        return (await fetch(new URL("/ready", url)).catch(() => undefined))?.ok === true;
      });
    },
    stopGateway: async () => {
      if (child !== undefined) await endProcess(child);
    },
    stopSecond: async () => {},
    run(command) {
      const own = { GATEWAY_ADMIN_URL: `http://127.0.0.1:${adminPort}`, GATEWAY_ADMIN_KEY: OPERATOR_KEY };
      const options = { cwd: folder, env: { ...env, ...own }, timeout: 60_000 };
      return new Promise((resolve) => {
        // Some commands read what is piped into them, and would wait for its end.
        execFile("bash", ["-c", `exec < /dev/null\n${command}`], options, (error, stdout, stderr) => {
          const exit = error === null ? 0 : typeof error.code === "number" ? error.code : -1;
          resolve({ exit, output: `${stdout}${stderr}` });
        });
      });
    },
    log: () => readFileSync(logFile, "utf8"),
    metrics: async () => (await fetch(new URL("/metrics", url))).text(),
    close,
  };
  closing.push(() => world.stopGateway());
  await world.startGateway();
  closing.push(keepCalling(world));
  const memory = await Promise.all([startMemoryGateway(), startMemoryGateway()]);
  for (const one of memory) closing.push(() => one.close());
  const stopSecond = () => memory[1].close();
  return { ...world, stopSecond, targets: { ...world.targets, memory: memory.map(({ url: { host } }) => host) } };
}

/** `recourse` from the sources, and a `curl` that fails if the answer is a failure. */
function writePrograms(folder: string): void {
  const main = join(ROOT, "packages/cli/src/main.ts");
  const programs = {
    recourse: `exec "${process.execPath}" --no-warnings --conditions=@recourse/source "${main}" "$@"`,
    curl: 'exec /usr/bin/curl --fail-with-body "$@"',
  };
  mkdirSync(folder);
  for (const [name, line] of Object.entries(programs))
    writeFileSync(join(folder, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
}

function startMemoryGateway() {
  const loaded = loadConfig(
    "listen: 127.0.0.1:0\nstore: memory\nauthentication: none\nupstreams: { none: { url: 'http://127.0.0.1:1/mcp' } }\ntelemetry: { log: silent }\n",
    { environment: {} },
  );
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return startGateway(loaded.config);
}

/** Calls the tools of the load until it is ended. */
function keepCalling({ load, call }: World): () => Promise<void> {
  let isOver = false;
  const ended = (async () => {
    while (!isOver) {
      // What a caller gets meanwhile does not matter here.
      await Promise.allSettled([...load].map((tool) => call(tool)));
      await wait(150);
    }
  })();
  return () => {
    isOver = true;
    return ended;
  };
}

async function callAs(apiKey: string, url: URL, call: PostedCall): Promise<string> {
  const signal = AbortSignal.timeout(30_000);
  const answer = await fetch(url, { ...toolCallRequest({ ...call, apiKey }), signal });
  return answer.text();
}
