// A cluster of three nodes whose slots a test can move, and whose primaries it can kill.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@recourse/test-kit/network";
import { createClient, createCluster } from "@redis/client";

const SLOTS = 16_384;
const PRIMARIES = 3;
/** How long the move of one key may take. */
const MIGRATE_MS = 60_000;

type Client = Awaited<ReturnType<typeof clientOf>>;

interface Node {
  readonly port: number;
  readonly client: Client;
  readonly process: ChildProcess;
  id: string;
}

/** A cluster of a test. */
export interface RedisCluster {
  readonly urls: readonly string[];
  /** A connected client of the cluster. */
  connect(): Promise<ReturnType<typeof createCluster>>;
  /** Moves the slot of a key to another node, key by key. Gives the ports of the nodes, old and new. */
  moveSlotOf(key: string, pauseMs: number): Promise<readonly [number, number]>;
  /** The number of the primary that has a key. */
  primaryOf(key: string): Promise<number>;
  /** Ends a primary like a crash. */
  killPrimary(index: number): Promise<void>;
  close(): Promise<void>;
}

/** Options of `startRedisCluster`. */
export interface RedisClusterOptions {
  /** Whether each primary has a standby that takes over when it is gone. @default false */
  readonly standbys?: boolean;
  /** A node that is silent for this time counts as gone, in ms. @default 15_000 */
  readonly nodeTimeoutMs?: number;
}

/** Starts three primaries and joins them. */
export async function startRedisCluster({
  standbys: hasStandbys = false,
  nodeTimeoutMs = 15_000,
}: RedisClusterOptions = {}): Promise<RedisCluster> {
  const folder = await mkdtemp(join(tmpdir(), "test-redis-cluster-"));
  const all: Node[] = [];
  const count = hasStandbys ? 2 * PRIMARIES : PRIMARIES;
  for (let index = 0; index < count; index++) all.push(await startNode(folder, index, nodeTimeoutMs));
  const nodes = all.slice(0, PRIMARIES);
  const [first] = nodes as [Node, ...Node[]];
  const share = Math.ceil(SLOTS / PRIMARIES);
  for (const [index, node] of nodes.entries()) {
    const last = Math.min(SLOTS, (index + 1) * share) - 1;
    await command(node, "CLUSTER", "ADDSLOTSRANGE", index * share, last);
  }
  for (const node of all) {
    if (node !== first) await command(node, "CLUSTER", "MEET", "127.0.0.1", first.port);
  }
  for (const node of all) {
    // How often it is asked.
    while (!(await isWhole(node, count))) await sleep(20);
  }
  for (const [index, standby] of all.slice(PRIMARIES).entries()) {
    await command(standby, "CLUSTER", "REPLICATE", nodes[index]?.id ?? "");
    // How often it is asked.
    while (!String(await command(standby, "INFO", "replication")).includes("master_link_status:up")) await sleep(20);
  }
  const urls = nodes.map(({ port }) => `redis://127.0.0.1:${port}`);
  return {
    urls,
    async connect() {
      const cluster = createCluster({
        rootNodes: urls.map((url) => ({ url })),
        defaults: { disableOfflineQueue: true, socket: { reconnectStrategy: () => 50 } },
      });
      cluster.on("error", () => {});
      await cluster.connect();
      return cluster as unknown as ReturnType<typeof createCluster>;
    },
    async moveSlotOf(key, pauseMs) {
      const slot = Number(await command(first, "CLUSTER", "KEYSLOT", key));
      const from = nodes[await ownerOf(nodes, slot)] as Node;
      const to = nodes[(nodes.indexOf(from) + 1) % PRIMARIES] as Node;
      await command(to, "CLUSTER", "SETSLOT", slot, "IMPORTING", from.id);
      await command(from, "CLUSTER", "SETSLOT", slot, "MIGRATING", to.id);
      for (;;) {
        const keys = (await command(from, "CLUSTER", "GETKEYSINSLOT", slot, 1)) as string[];
        if (keys[0] === undefined) break;
        await command(from, "MIGRATE", "127.0.0.1", to.port, keys[0], 0, MIGRATE_MS);
        // Calls meet a slot that is half moved.
        await sleep(pauseMs);
      }
      for (const node of [to, from, ...nodes]) await command(node, "CLUSTER", "SETSLOT", slot, "NODE", to.id);
      return [from.port, to.port];
    },
    async primaryOf(key) {
      return ownerOf(nodes, Number(await command(first, "CLUSTER", "KEYSLOT", key)));
    },
    async killPrimary(index) {
      await kill(nodes[index] as Node);
    },
    async close() {
      for (const node of all) {
        node.client.destroy();
        await kill(node);
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function kill({ process }: Node): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return;
  const exited = once(process, "exit");
  process.kill("SIGKILL");
  await exited;
}

async function startNode(folder: string, index: number, nodeTimeoutMs: number): Promise<Node> {
  const port = await freePort();
  const args = ["--port", port, "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "no"].map(String);
  const clustered = ["--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1"];
  const files = ["--cluster-config-file", `nodes-${index}.conf`, "--cluster-node-timeout", String(nodeTimeoutMs)];
  const process = spawn("redis-server", [...args, ...clustered, ...files], { stdio: "ignore" });
  const client = await clientOf(port);
  const node = { port, client, process, id: "" };
  node.id = String(await command(node, "CLUSTER", "MYID"));
  return node;
}

async function clientOf(port: number) {
  const client = createClient({ url: `redis://127.0.0.1:${port}`, socket: { reconnectStrategy: () => 20 } });
  client.on("error", () => {});
  await client.connect();
  return client;
}

function command(node: Pick<Node, "client">, ...words: readonly (string | number)[]): Promise<unknown> {
  return node.client.sendCommand(words.map(String));
}

async function isWhole(node: Node, nodes: number): Promise<boolean> {
  const info = String(await command(node, "CLUSTER", "INFO"));
  return info.includes("cluster_state:ok") && info.includes(`cluster_known_nodes:${nodes}\r`);
}

/** The index of the node that has the slot. */
async function ownerOf(nodes: readonly Node[], slot: number): Promise<number> {
  for (const [index, node] of nodes.entries()) {
    const shards = (await command(node, "CLUSTER", "SLOTS")) as [number, number, [string, number]][];
    const owner = shards.find(([from, to]) => from <= slot && slot <= to);
    const port = owner?.[2][1];
    const found = nodes.findIndex((other) => other.port === port);
    if (found >= 0) return found;
    if (index === nodes.length - 1) break;
  }
  throw new Error(`nobody has the slot ${slot}`);
}
