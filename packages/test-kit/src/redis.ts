// A separate Redis server that tests may kill.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@redis/client";
import { freePort } from "./network.ts";

export interface RedisServer {
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  /** Ends it like a crash. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** Options of `createRedisServer`. */
export interface RedisServerOptions {
  /** Whether every change is on disk before it is answered; otherwise a restart forgets everything. */
  readonly durable: boolean;
  /** Whether it is a cluster of one node, which refuses what would not work with more. @default false */
  readonly cluster?: boolean;
}

const STARTED = /Ready to accept connections/;

/** Makes a Redis server with a folder and a port of its own, and starts it. */
export async function createRedisServer({ durable, cluster = false }: RedisServerOptions): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), "test-redis-"));
  const port = await freePort();
  const persistence = durable ? ["--appendonly", "yes", "--appendfsync", "always"] : ["--appendonly", "no"];
  const clustered = cluster ? ["--cluster-enabled", "yes", "--cluster-announce-ip", "127.0.0.1"] : [];
  const args = [
    "--port",
    String(port),
    "--bind",
    "127.0.0.1",
    "--dir",
    folder,
    "--save",
    "",
    ...persistence,
    ...clustered,
  ];
  let server: ChildProcess | undefined;
  const start = async () => {
    const started = spawn("redis-server", args, { stdio: ["ignore", "pipe", "inherit"] });
    server = started;
    let printed = "";
    await new Promise<void>((resolve, reject) => {
      started.once("error", (cause) => reject(new Error("redis-server cannot be started: install it", { cause })));
      started.once("exit", () => reject(new Error(`redis-server ended:\n${printed}`)));
      started.stdout.on("data", (chunk: Buffer) => {
        printed = `${printed}${chunk}`.slice(-10_000);
        if (STARTED.test(printed)) resolve();
      });
    });
    await isListening(port);
  };
  const kill = async () => {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const exited = once(server, "exit");
    server.kill("SIGKILL");
    await exited;
  };
  await start();
  if (cluster) await ownAllSlots(port);
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    start,
    kill,
    close: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function isListening(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.destroy();
}

/** Makes a node responsible for all keys. */
async function ownAllSlots(port: number): Promise<void> {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  socket.write("CLUSTER ADDSLOTSRANGE 0 16383\r\n");
  let said = "";
  socket.on("data", (chunk: string) => {
    said += chunk;
    if (said.includes("cluster_state:ok")) socket.destroy();
    // The pause between two looks.
    else if (said.endsWith("\r\n")) setTimeout(() => socket.write("CLUSTER INFO\r\n"), 20);
  });
  await once(socket, "close");
}

/** A connected client of Redis that comes back after an outage. */
export async function connectRedis(url: string) {
  const client = createClient({ url, disableOfflineQueue: true, socket: { reconnectStrategy: () => 50 } });
  client.on("error", () => {});
  await client.connect();
  return client;
}
