// The processes of a run, each of which can be killed, started again, paused and resumed.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { openSync, readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Cluster, createCluster } from "@recourse/test-kit/postgres";
import { createRedisServer, type RedisServer } from "@recourse/test-kit/redis";
import pg from "pg";

/** Something that is disturbed. */
export interface Disturbed {
  start(): Promise<void>;
  kill(): Promise<void>;
  pause(): Promise<void>;
  resume(): Promise<void>;
  close(): Promise<void>;
}

export interface ProcessOptions {
  /** The file, beside this one. */
  readonly file: string;
  readonly args: readonly string[];
  /** Where compiled code is kept: a process that is started again comes back sooner. */
  readonly cache: string;
  /** Where its log goes. */
  readonly log: string;
  /** Called where the process ends without having been killed by the run. */
  readonly onCrash: () => void;
  readonly onMessage?: (message: unknown) => void;
}

/** A process of ours. It is started until it reports that it listens: the engines may be away just now. */
export class OwnProcess implements Disturbed {
  readonly #options: ProcessOptions;
  readonly #log: number;
  #child: ChildProcess | undefined;
  #isOver = false;

  constructor(options: ProcessOptions) {
    this.#options = options;
    this.#log = openSync(options.log, "a");
  }

  async start(): Promise<void> {
    const { file, args, cache, onCrash, onMessage } = this.#options;
    const env = { ...process.env, NODE_COMPILE_CACHE: cache };
    while (!this.#isOver) {
      const execArgv = ["--conditions=@recourse/source", "--no-warnings", "--expose-gc"];
      const path = fileURLToPath(new URL(file, import.meta.url));
      const child = fork(path, [...args], { execArgv, env, stdio: ["ignore", this.#log, this.#log, "ipc"] });
      this.#child = child;
      const exited = once(child, "exit").then(() => false);
      const isUp = await Promise.race([once(child, "message").then(() => true), exited]);
      if (isUp) {
        if (onMessage !== undefined) child.on("message", onMessage);
        child.once("exit", () => this.#child === child && onCrash());
        return;
      }
      await sleep(200);
    }
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  }

  async pause(): Promise<void> {
    this.#child?.kill("SIGSTOP");
  }

  async resume(): Promise<void> {
    this.#child?.kill("SIGCONT");
  }

  /** Sends a message and waits for an answer. */
  async ask<T>(message: string): Promise<T> {
    const child = this.#child;
    if (child === undefined) throw new Error("the process does not run");
    const answer = once(child, "message") as Promise<[T]>;
    child.send(message);
    return (await answer)[0];
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.kill();
  }
}

/** Redis, which forgets everything in a restart, as a cache does. */
export async function startRedis(): Promise<Disturbed & Pick<RedisServer, "url">> {
  const server = await createRedisServer({ durable: false });
  let paused: readonly number[] = [];
  return {
    ...server,
    async pause() {
      paused = [await redisPid(server.port)];
      signalAll(paused, "SIGSTOP");
    },
    resume: async () => signalAll(paused, "SIGCONT"),
  };
}

/** PostgreSQL, which writes to the disk before it answers. */
export async function startPostgres(): Promise<Disturbed & Pick<Cluster, "url">> {
  const server = await createCluster({ settings: ["fsync=on", "max_connections=200"] });
  const folder = await dataFolder(server.url);
  let paused: readonly number[] = [];
  return {
    ...server,
    async start() {
      for (let tries = 0; ; tries++) {
        try {
          return await server.start();
        } catch (error) {
          if (tries === 10) throw error;
          await sleep(300);
        }
      }
    },
    async pause() {
      const [first = ""] = readFileSync(join(folder, "postmaster.pid"), "utf8").split("\n");
      // The parent first, so that it starts no other child meanwhile.
      signalAll([Number(first)], "SIGSTOP");
      paused = [...childrenOf(Number(first)), Number(first)];
      signalAll(paused, "SIGSTOP");
    },
    resume: async () => signalAll(paused, "SIGCONT"),
  };
}

function signalAll(pids: readonly number[], signal: "SIGSTOP" | "SIGCONT"): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // A connection that ended meanwhile.
    }
  }
}

function childrenOf(parent: number): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | undefined {
  try {
    // The name of the program stands in parentheses; state and parent follow.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ");
    return Number(fields?.[1]);
  } catch {
    return undefined;
  }
}

async function redisPid(port: number): Promise<number> {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  socket.write("INFO server\r\n");
  let said = "";
  for await (const chunk of socket) {
    said += String(chunk);
    const [, pid] = /process_id:(\d+)/.exec(said) ?? [];
    if (pid !== undefined) return Number(pid);
  }
  throw new Error("Redis does not tell its process");
}

async function dataFolder(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ data_directory: string }>("show data_directory");
  await client.end();
  return rows[0]?.data_directory ?? "";
}
