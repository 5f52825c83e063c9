import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { listenOnLoopback } from "@recourse/test-kit/loopback";
import { type GatherOptions, gather } from "../../src/gather/gather.ts";
import type { EraRecord, RecordedAnswer, RecordedExchange, Recording } from "../../src/recording/recording.ts";
import type { TargetSpec } from "../../src/wire/limits.ts";
import { COMPILE_CACHE } from "./compile-cache.ts";
import { PATIENT } from "./patient.ts";

/** A server to record: a listener for Node, a program, or an address. */
type Recordable = RequestListener | TargetSpec;

/**
 * Probes a server and returns the recording. It waits for every answer unless `waits` says otherwise. A server that cannot be
 * probed fails the test.
 */
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
  const waits = { ...PATIENT.waits, ...options.waits };
  const { signal } = new AbortController();
  const gathered = await gather(server, { ...PATIENT, signal, now: Date.now, ...options, waits, env });
  if (!gathered.ok) throw new Error(`${gathered.failure.message}\n${gathered.failure.detail}`);
  return gathered.recording;
}

/** Longer messages are those that a server may refuse without reading them. */
const LONG_MESSAGE = 1_000_000;
const UNREAD_CLOSING_MS = 100;

/** Lets a listener answer on a free port of this machine. */
export async function listen(listener: RequestListener): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(listener);
  // A server that did not read a message to its end does not answer the next one on that connection, and closes it later.
  server.on("request", ({ headers }) => {
    server.keepAliveTimeout = Number(headers["content-length"] ?? 0) > LONG_MESSAGE ? UNREAD_CLOSING_MS : 0;
  });
  const { url, close } = await listenOnLoopback(server);
  return { url: url.href, close };
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
  stimulus: RecordedExchange["stimulus"],
  variant?: string,
): readonly RecordedExchange[] {
  const all = "eras" in from ? from.eras.flatMap((era) => era.exchanges) : from.exchanges;
  return all.filter((one) => one.stimulus === stimulus && (variant === undefined || one.variant === variant));
}

/** The text of an answer, or what it was instead. */
export function textOf(answer: RecordedAnswer | undefined): string {
  return answer?.kind === "message" || answer?.kind === "body" ? answer.text : String(answer?.kind);
}

const CONDITION = ["--conditions=@recourse/source"];

function pathOf(name: string): string {
  return fileURLToPath(new URL(`../servers/${name}.ts`, import.meta.url));
}

/** A JSON-RPC request as a hand-made server sees it. */
interface Call {
  readonly id?: unknown;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** What a hand-made server answers: a result, or nothing if it took the response into its own hands. */
type Answers = Readonly<Record<string, (call: Call) => unknown>>;

/** A server over HTTP without an SDK, in the older era. Unknown methods get -32601, other bodies -32700. */
export function handMade(answers: Answers): RequestListener {
  const all: Answers = { initialize: () => INTRODUCTION, ...answers };
  return (request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const send = (status: number, body: unknown): void => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(body === undefined ? "" : JSON.stringify(body));
      };
      let message: Partial<Call> | undefined;
      try {
        message = JSON.parse(String(Buffer.concat(pieces))) as Partial<Call>;
      } catch {
        send(400, { jsonrpc: "2.0", id: null, error: { code: -32700, message: "Not JSON" } });
        return;
      }
      const { id, method = "", params = {} } = message;
      const answer = Object.hasOwn(all, method) ? all[method] : undefined;
      if (id === undefined) send(202, undefined);
      else if (answer === undefined)
        send(200, { jsonrpc: "2.0", id, error: { code: -32601, message: "Unknown method" } });
      else {
        const result = answer({ id, method, params, request, response });
        if (result !== undefined) send(200, { jsonrpc: "2.0", id, result });
      }
    });
  };
}

const INTRODUCTION = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "hand-made", version: "1.0.0" },
};
