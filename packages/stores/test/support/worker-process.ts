// A worker process, and a client that is connected to it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { readFault } from "@recourse/core";
import { bundleProgram } from "@recourse/test-kit/bundle";
import type { EngineName } from "./engines.ts";

/** What a worker is started with. */
export interface WorkerSetup {
  /** `memory` is the control: its processes share nothing. */
  readonly engine: EngineName | "memory";
  readonly url: string;
  readonly folder: string;
  /** The time limit of the calls. */
  readonly deadlineMs: number;
  /** When a call counts as unknown: the guard adds five seconds to its limit, which is changed here. */
  readonly leaseMs: number;
}

/** What a caller was told. */
export interface Answer {
  /** `done`, the reason of a fault, or `lost`. */
  readonly kind: string;
  readonly text?: string | undefined;
}

/** A process of a guarded server. */
export interface Worker {
  /** Calls the tool that an item names, with the item as its key. */
  call(item: string): Promise<Answer>;
  /** How many handlers of tools are running. */
  running(): number;
  pause(): void;
  resume(): void;
  kill(): Promise<void>;
}

/** How long a caller waits: as long as others are paused, and longer. */
const PATIENCE_MS = 60_000;

/** Starts a process, and waits until it answers. */
export async function startWorker(setup: WorkerSetup): Promise<Worker> {
  const program = await bundleProgram(new URL("worker.ts", import.meta.url));
  for (let attempt = 0; ; attempt++) {
    const child = spawn(process.execPath, [program, JSON.stringify(setup)], { stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: child.stdout });
    const url = await addressOf(child, lines);
    if (url !== undefined) return workerOf(child, lines, await connectTill(url));
    // The engine is away just now.
    if (attempt === 10) throw new Error("the worker does not start");
  }
}

async function addressOf(child: ChildProcess, lines: Interface): Promise<URL | undefined> {
  const [line] = await Promise.race([once(lines, "line") as Promise<[string]>, once(child, "exit").then(() => [])]);
  return line === undefined ? undefined : new URL(line);
}

/** A client of one server. */
export interface TillClient {
  /** Calls the tool that an item names, with the item as its key. */
  call(item: string): Promise<Answer>;
  close(): Promise<void>;
}

/** Connects to a server. */
export async function connectTill(url: URL): Promise<TillClient> {
  const client = new Client(
    { name: "shop", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(new StreamableHTTPClientTransport(url));
  return { call: (item) => ask(client, item), close: () => client.close() };
}

function workerOf(child: ChildProcess, lines: Interface, client: TillClient): Worker {
  let running = 0;
  lines.on("line", (line) => (running += line === "begin" ? 1 : -1));
  return {
    running: () => running,
    call: client.call,
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
      await client.close().catch(() => {});
    },
  };
}

async function ask(client: Client, item: string): Promise<Answer> {
  const [name = ""] = item.split(" ");
  const params = { name, arguments: { item }, _meta: { "recourse/call": { key: item } } };
  try {
    const result = await client.callTool(params, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const fault = readFault(result._meta?.["recourse/fault"]);
    const [block] = result.content;
    return fault === undefined
      ? { kind: "done", text: block?.type === "text" ? block.text : undefined }
      : { kind: fault.reason };
  } catch {
    return { kind: "lost" };
  }
}
