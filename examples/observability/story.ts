// Starts the receiver, the REST API, the MCP server and the agent, each in a process of its own, and returns what came of it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type ReceivedMetric, type ReceivedSpan, startReceiver } from "./otlp-receiver.ts";

export interface Story {
  /** The spans of the agent's trace. */
  readonly spans: readonly ReceivedSpan[];
  readonly allSpans: readonly ReceivedSpan[];
  readonly metrics: readonly ReceivedMetric[];
  readonly learnt: readonly { tool: string; ok: boolean; attempts?: number; text?: string; incident?: string }[];
  /** Everything that the receiver got. */
  readonly sent: string;
  /** The log of the MCP server. */
  readonly log: string;
}

/** A secret that the REST API puts into its answers. */
export const WAREHOUSE_KEY = "wh-key-5f1d8c2b7a904e36";

export async function runStory(): Promise<Story> {
  const receiver = await startReceiver();
  const env = { ...process.env, OTLP_URL: receiver.url, WAREHOUSE_KEY };
  const api = start("rest-api.ts", env);
  const server = start("server.ts", { ...env, WAREHOUSE_URL: await firstLine(api) });
  const log = text(server.stderr as Readable);
  const agent = start("agent.ts", { ...env, SHOP_URL: await firstLine(server) });
  const said = await text(agent.stdout as Readable);
  for (const service of [agent, server, api]) await end(service);
  const { trace, learnt } = JSON.parse(said) as Pick<Story, "learnt"> & { trace: string };
  await receiver.close();
  const allSpans = receiver.spans();
  return {
    spans: allSpans.filter(({ traceId }) => traceId === trace),
    allSpans,
    metrics: receiver.metrics(),
    learnt,
    sent: receiver.bytes(),
    log: await log,
  };
}

function start(file: string, env: NodeJS.ProcessEnv): ChildProcess {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const isServer = file === "server.ts";
  return spawn(process.execPath, [path], { env, stdio: ["pipe", "pipe", isServer ? "pipe" : "inherit"] });
}

/** A service prints its address when it is ready. */
async function firstLine({ stdout }: ChildProcess): Promise<string> {
  const [chunk] = (await once(stdout ?? process.stdin, "data")) as [Buffer];
  return chunk.toString().trim();
}

async function end(service: ChildProcess): Promise<void> {
  service.stdin?.end();
  if (service.exitCode === null) await once(service, "exit");
}
