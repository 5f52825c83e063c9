// What has to be there before a command is shown: files, and a gateway that runs.
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** A scene that was set up. */
export interface ReadyScene {
  /** Variables for the commands that are shown. */
  readonly env: Readonly<Record<string, string>>;
  /** The incidents that the pictures are about: the gateway's, then the server's. */
  readonly incidents: readonly string[];
  /** Ends the programs of the scene. */
  readonly stop: () => Promise<void>;
}

/** Sets up a scene in a folder. */
export type Scene = (folder: string) => Promise<ReadyScene>;

const ROOT = resolve(import.meta.dirname, "../..");
export const MAIN = join(ROOT, "packages/cli/src/main.ts");
export const FROM_SOURCE = "--conditions=@recourse/source";
/** A guarded server whose tools fail. */
export const ORDERS_SERVER = join(ROOT, "packages/cli/test/servers/guarded-orders.ts");
const SHOP_SERVER = join(ROOT, "research/survey/project/shop/v1.ts");
/** A small shop on the official SDK, without a guard. */
export const SHOP_COMMAND = ["node", FROM_SOURCE, SHOP_SERVER, "stdio", "bare"];
/** The same shop, had its tools no annotations. */
export const UNANNOTATED_SHOP_COMMAND = ["node", join(ROOT, "research/unseen/without-annotations.ts"), ...SHOP_COMMAND];

const NOTHING_RUNS = { env: {}, incidents: [], stop: async () => {} } as const satisfies ReadyScene;

export const EMPTY_SCENE: Scene = async () => NOTHING_RUNS;

/** A file of Claude Desktop: one server is ready, one has its command line in one word, one lacks a variable. */
export const CLAUDE_SCENE: Scene = async (folder) => {
  const search = join(folder, "search.mjs");
  writeFileSync(search, 'if (!process.env.SEARCH_KEY) throw new Error("SEARCH_KEY is not set");\n');
  const mcpServers = {
    orders: { command: process.execPath, args: [FROM_SOURCE, ORDERS_SERVER] },
    github: { command: "npx -y github-mcp" },
    search: { command: process.execPath, args: [search] },
  };
  writeFileSync(join(folder, "claude_desktop_config.json"), `${JSON.stringify({ mcpServers }, null, 2)}\n`);
  return NOTHING_RUNS;
};

const INCIDENT_ID = /[0-7][0-9A-HJKMNP-TV-Z]{25}/;
// The shell keeps the server's log away from the gateway.
const ORDERS_COMMAND = ["sh", "-c", `exec "$0" ${FROM_SOURCE} "$1" 2>>orders.log`, process.execPath, ORDERS_SERVER];

/** The logs of a gateway and of a server behind it. Both have ended. */
export const LOGS_SCENE: Scene = async (folder) => {
  const { call, stop } = await startGateway(folder, { upstreams: { orders: { command: ORDERS_COMMAND } } });
  try {
    await call("orders__find_order", { id: "A1" });
    await call("orders__place_order", { id: "A3" });
    await call("orders__cancel_order", { id: "A4" });
    // So that the two failures have different times.
    await sleep(2_000);
    return { ...NOTHING_RUNS, incidents: await readIncidents(folder, await call("orders__find_order", { id: "A2" })) };
  } finally {
    await stop();
  }
};

/** A gateway that runs: a server with failures, an upstream that is down, and a call that waits for an approval. */
export const GATEWAY_SCENE: Scene = async (folder) => {
  const { call, env, stop } = await startGateway(folder, {
    upstreams: {
      orders: { command: ORDERS_COMMAND },
      shop: { command: [process.execPath, FROM_SOURCE, SHOP_SERVER, "stdio", "guarded"] },
      crm: { url: "http://127.0.0.1:1/mcp" },
    },
    approvals: { tools: ["orders__cancel_order"], expires: "15m" },
  });
  try {
    for (let at = 0; at < 12; at++) await call("shop__search_items", { query: "tea" });
    await call("shop__get_item", { id: "A-9" });
    await call("orders__cancel_order", { id: "A4" });
    for (const id of ["A0", "A1"]) await call("orders__find_order", { id });
    const incidents = await readIncidents(folder, await call("orders__find_order", { id: "A2" }));
    return { env, incidents, stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

/** The ids of the last failure of the orders server: what the caller got, and what the server logged. */
async function readIncidents(folder: string, answer: string): Promise<readonly string[]> {
  const [gateways = ""] = INCIDENT_ID.exec(answer) ?? [];
  const read = (file: string) => readFileSync(join(folder, file), "utf8");
  await until(() => read("gateway.log").includes(gateways));
  const servers = [...read("orders.log").matchAll(/incident=(\S+)/g)].at(-1)?.[1] ?? "";
  return [gateways, servers];
}

function sha256(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}

/** What the gateways of the scenes differ in. */
interface GatewayParts {
  readonly upstreams: Readonly<Record<string, { readonly command?: readonly string[]; readonly url?: string }>>;
  readonly approvals?: { readonly tools: readonly string[]; readonly expires: string };
}

interface UpstreamList {
  readonly items: readonly { readonly tools: number }[];
}

/** Starts a gateway in a folder, with a key for calls and one for the commands of operators. */
async function startGateway(folder: string, { upstreams, approvals }: GatewayParts) {
  const keys = { caller: randomUUID(), operator: randomUUID() };
  writeFileSync(
    join(folder, "gateway.yaml"),
    JSON.stringify({
      listen: "127.0.0.1:0",
      store: "memory",
      keys: [{ id: "ci", tenant: "acme", sha256: sha256(keys.caller) }],
      admin: { listen: "127.0.0.1:0", keys: [{ id: "ann", sha256: sha256(keys.operator) }] },
      upstreams,
      approvals,
    }),
  );
  const log = openSync(join(folder, "gateway.log"), "a");
  const child = spawn(process.execPath, [FROM_SOURCE, MAIN, "serve", "--json"], {
    cwd: folder,
    stdio: ["ignore", "pipe", log],
  });
  closeSync(log);
  const stop = () => endChild(child);
  try {
    if (child.stdout === null) throw new Error("the gateway has no standard output");
    const [line] = (await once(child.stdout, "data", { signal: AbortSignal.timeout(120_000) })) as [Buffer];
    const { url, adminUrl } = JSON.parse(String(line)) as { url: string; adminUrl: string };
    const call = (name: string, args: object) => callTool({ url, key: keys.caller }, name, args);
    // Asked as an operator: requests of callers are counted, and `recourse status` shows how many there were.
    const withTools = Object.values(upstreams).filter(({ command }) => command !== undefined).length;
    await until(async () => {
      const headers = { Authorization: `Bearer ${keys.operator}` };
      const { items } = (await (await fetch(`${adminUrl}/upstreams`, { headers })).json()) as UpstreamList;
      return items.filter(({ tools }) => tools > 0).length === withTools;
    });
    return { call, env: { GATEWAY_ADMIN_KEY: keys.operator, GATEWAY_ADMIN_URL: adminUrl }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill("SIGTERM");
  await closed;
}

/** Waits until something is so, for a minute at most. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const limit = AbortSignal.timeout(60_000);
  while (!(await isSo())) await sleep(50, undefined, { signal: limit });
}

/** Calls a tool, and gives the body of the answer. */
async function callTool(
  { url, key }: { readonly url: string; readonly key: string },
  name: string,
  args: object,
): Promise<string> {
  const answer = await fetch(url, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }),
  });
  return await answer.text();
}
