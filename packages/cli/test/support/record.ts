import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { type GatherOptions, gather } from "../../src/gather/gather.ts";
import type { Answer, EraRecord, Exchange, Recording } from "../../src/recording/recording.ts";
import type { TargetSpec } from "../../src/wire/target.ts";
import { COMPILE_CACHE } from "./compile-cache.ts";

/** A server to record: a listener for Node, a program, or an address. */
export type Recordable = RequestListener | TargetSpec;

/** Probes a server and returns the recording. A server that cannot be probed fails the test. */
export async function recordingOf(server: Recordable, options: Partial<GatherOptions> = {}): Promise<Recording> {
  if (typeof server === "function") {
    const { url, close } = await listen(server);
    try {
      return await recordingOf({ transport: "http", url }, options);
    } finally {
      await close();
    }
  }
  const env = server.transport === "stdio" ? { ...COMPILE_CACHE, ...options.env } : options.env;
  const gathered = await gather(server, { signal: new AbortController().signal, now: Date.now, ...options, env });
  if (!gathered.ok) throw new Error(`${gathered.failure.message}\n${gathered.failure.detail}`);
  return gathered.recording;
}

/** Lets a listener answer on a free port of this machine. */
export async function listen(listener: RequestListener): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A program of the tests, by its name in `test/servers`. */
export function program(name: string, ...args: readonly string[]): Extract<TargetSpec, { transport: "stdio" }> {
  return { transport: "stdio", command: process.execPath, args: [...CONDITION, pathOf(name), ...args] };
}

/** Starts a program of `test/servers` that prints its address, runs the test, and ends it. */
export async function withHttpProgram<T>(name: string, use: (url: string) => Promise<T>): Promise<T> {
  const child = spawn(process.execPath, [...CONDITION, pathOf(name), "--http"], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...COMPILE_CACHE },
  });
  try {
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    return await use(String(line).trim());
  } finally {
    child.kill();
    await once(child, "exit");
  }
}

/** The exchanges of one group, of one era or of all. */
export function exchangesOf(
  from: Recording | EraRecord,
  stimulus: Exchange["stimulus"],
  variant?: string,
): readonly Exchange[] {
  const all = "eras" in from ? from.eras.flatMap((era) => era.exchanges) : from.exchanges;
  return all.filter((one) => one.stimulus === stimulus && (variant === undefined || one.variant === variant));
}

/** The text of an answer, or what it was instead. */
export function textOf(answer: Answer | undefined): string {
  return answer?.kind === "message" || answer?.kind === "body" ? answer.text : String(answer?.kind);
}

const CONDITION = ["--conditions=@recourse/source"];

function pathOf(name: string): string {
  return fileURLToPath(new URL(`../servers/${name}.ts`, import.meta.url));
}
