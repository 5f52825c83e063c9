// One replica of the gateway in a process of its own, started as an operator starts it: `recourse serve` with a file.
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { openSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@recourse/test-kit/network";
import { API_KEY } from "../../bench/gateway-chaos/config.ts";
import { UPSTREAM_TOKENS } from "../../bench/gateway-chaos/planted.ts";
import type { Version } from "./previous.ts";

/** The key of the operators. */
const OPERATOR_KEY = "rk_upgrade_operator_00000000000000000";
/** How long a replica may take to start on a busy machine, and to end. */
const START_MS = 60_000;
const END_MS = 30_000;

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** What a replica is started with. */
export interface ReplicaSetup {
  /** Where its file and its log are. */
  readonly folder: string;
  readonly slot: number;
  readonly redis: string;
  readonly postgres: string;
  /** The ports of the upstreams. */
  readonly upstreams: { readonly honours: number; readonly plain: number };
}

/** An answer of the API for operators, or of a tool. */
export interface Answer {
  readonly status: number;
  readonly json: unknown;
}

/** A place for one replica: its address and its file stay, whatever version runs there. */
export class ReplicaSlot {
  readonly port: number;
  readonly adminPort: number;
  readonly file: string;
  readonly log: string;
  readonly #output: number;
  #child: ChildProcess | undefined;
  #version: Version | undefined;
  /** How often it ended without being asked to. */
  crashes = 0;

  private constructor(setup: ReplicaSetup, port: number, adminPort: number) {
    this.port = port;
    this.adminPort = adminPort;
    this.file = join(setup.folder, `gateway-${setup.slot}.yaml`);
    this.log = join(setup.folder, `replica-${setup.slot}.log`);
    this.#output = openSync(this.log, "a");
    writeFileSync(this.file, fileText(setup, port, adminPort));
  }

  static async open(setup: ReplicaSetup): Promise<ReplicaSlot> {
    return new ReplicaSlot(setup, await freePort(), await freePort());
  }

  get version(): Version | undefined {
    return this.#version;
  }

  /** Starts a version, and waits until it serves. It rejects with what the process said if it ends instead. */
  async start(version: Version): Promise<void> {
    const child = runCli(version, ["serve", this.file, "--json"], { output: this.#output });
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
    const isUp = await Promise.race([
      once(lines, "line").then(() => true),
      once(child, "exit").then(() => false),
      sleep(START_MS, false, { ref: false }),
    ]);
    if (!isUp) {
      child.kill("SIGKILL");
      throw new Error(`${version.name} did not start: ${readFileSync(this.log, "utf8").trimEnd().split("\n").at(-1)}`);
    }
    this.#child = child;
    this.#version = version;
    child.once("exit", () => {
      if (this.#child === child) this.crashes += 1;
    });
    await this.#untilReady();
  }

  /** A balancer sends calls once the upstreams are listed. */
  async #untilReady(): Promise<void> {
    const deadline = Date.now() + START_MS;
    while (Date.now() < deadline) {
      const response = await fetch(`http://127.0.0.1:${this.port}/ready`).catch(() => undefined);
      if (response?.ok === true) return;
      await sleep(50);
    }
    throw new Error("a replica is not ready");
  }

  /** Ends the replica: gracefully, or like a power cut. Gives the exit code. */
  async end(signal: "SIGTERM" | "SIGKILL"): Promise<number | null> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return null;
    const exited = once(child, "exit") as Promise<[number | null]>;
    child.kill(signal);
    const late = setTimeout(() => child.kill("SIGKILL"), END_MS);
    const [code] = await exited;
    clearTimeout(late);
    return code;
  }

  /** Calls a tool, perhaps with a key. It rejects if no answer comes. */
  call(tool: string, args: object, key?: string): Promise<Answer> {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
      ...(key !== undefined && { "recourse/call": { key } }),
    };
    const params = { name: tool, arguments: args, _meta: meta };
    return send(`http://127.0.0.1:${this.port}/mcp`, {
      headers: {
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${API_KEY}`,
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "tools/call",
        "mcp-name": tool,
      },
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
    });
  }

  /** Asks the API for operators. */
  ask(path: string, body?: object): Promise<Answer> {
    const url = `http://127.0.0.1:${this.adminPort}/admin/v1${path}`;
    return send(url, { headers: { authorization: `Bearer ${OPERATOR_KEY}` }, body });
  }
}

/** How long an answer may take. */
const ANSWER_MS = 15_000;

async function send(
  url: string,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body?: object | undefined },
): Promise<Answer> {
  const response = await fetch(url, {
    ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  const text = await response.text();
  // An answer can be a stream of one message.
  const [, event] = /^data: (.*)$/m.exec(text) ?? [];
  return { status: response.status, json: JSON.parse(event ?? text) as unknown };
}

/** Each version is started many times: compiled code is kept. */
const COMPILE_CACHE = join(tmpdir(), "recourse-compile-cache");

/** Runs the command line of a version. */
export function runCli(
  version: Version,
  args: readonly string[],
  { output }: { readonly output: number | "pipe" },
): ChildProcess {
  const main = join(version.root, "packages/cli/src/main.ts");
  return spawn(process.execPath, ["--conditions=@recourse/source", "--no-warnings", main, ...args], {
    cwd: version.root,
    env: { ...process.env, NODE_COMPILE_CACHE: COMPILE_CACHE },
    stdio: ["ignore", "pipe", output],
  });
}

/** The file of a replica: only options that every version knows. */
function fileText({ redis, postgres, upstreams, slot }: ReplicaSetup, port: number, adminPort: number): string {
  const upstream = (name: "honours" | "plain", more: string) =>
    `{ url: "http://127.0.0.1:${upstreams[name]}/mcp", timeout: 2500ms, credential: { bearer: "${UPSTREAM_TOKENS[name]}" }${more} }`;
  return `name: upgrade
listen: 127.0.0.1:${port}
drain: 5s
store: { redis: "${redis}", postgres: "${postgres}" }
keys:
  - { id: chaos, sha256: "${sha256(API_KEY)}" }
upstreams:
  honours: ${upstream("honours", ", idempotency: honoured")}
  plain: ${upstream("plain", "")}
  approved: ${upstream("plain", "")}
approvals: { tools: ["approved__*"], expires: 10m }
breaker: { failures: 5, pause: 300ms, maxPause: 2s }
admin:
  listen: 127.0.0.1:${adminPort}
  keys:
    - { id: operator-${slot}, sha256: "${sha256(OPERATOR_KEY)}", role: admin }
`;
}

/** The fault of a call. */
interface AnsweredFault {
  readonly reason: string;
  readonly effect: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly retry?: { readonly allowed: boolean; readonly afterMs?: number };
}

/** The fault in an answer of a tool; undefined for a success. */
export function faultOf(json: unknown): AnsweredFault | undefined {
  const { result, error } = (json ?? {}) as {
    readonly result?: { readonly _meta?: Readonly<Record<string, AnsweredFault>> };
    readonly error?: { readonly data?: Readonly<Record<string, AnsweredFault>> };
  };
  return result?._meta?.["recourse/fault"] ?? error?.data?.["recourse/fault"];
}
