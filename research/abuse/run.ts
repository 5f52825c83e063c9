// Hostile callers on a guarded server and a bridge while honest callers work. Prints memory, handles and delay of the event
// loop over time, and fails if one of them grows or an honest call fails: `npm run research -- abuse 20` (minutes).
import { fork } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { recourse } from "@recourse/core/client";
import type { AbuseSample } from "./server.ts";

const MINUTES = Number(process.argv[2] ?? 20);
const SAMPLE_MS = Math.min(10_000, (MINUTES * 60_000) / 12);
const HOSTILE_CALLERS = 6;
const HONEST_PAUSE_MS = 25;

const child = fork(fileURLToPath(new URL("server.ts", import.meta.url)), [], { execArgv: ["--expose-gc"] });
const [{ port }] = (await once(child, "message")) as [{ port: number }];
const url = new URL(`http://127.0.0.1:${port}/mcp`);
const endMs = performance.now() + MINUTES * 60_000;
const isOver = () => performance.now() > endMs;
const counts = new Map<string, number>();
let turn = 0;

const message = (name: string, args: unknown, meta: object = {}) =>
  JSON.stringify({
    jsonrpc: "2.0",
    id: turn,
    method: "tools/call",
    params: { name, arguments: args, _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", ...meta } },
  });
const key = (value: string) => ({ "recourse/call": { id: `c${turn}`, attempt: 1, key: value } });

async function post(body: string, more: { tool?: string; headers?: Record<string, string>; abortMs?: number } = {}) {
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    authorization: "Bearer right",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": more.tool ?? "echo",
    ...more.headers,
  };
  const signal = AbortSignal.timeout(more.abortMs ?? 10_000);
  const response = await fetch(url, { method: "POST", headers, body, signal, duplex: "half" } as RequestInit);
  await response.arrayBuffer();
}

/** What hostile callers do, in turn. */
const ATTACKS: Readonly<Record<string, () => Promise<unknown>>> = {
  "a body that is too large": () => post(`{"x":"${"x".repeat(5 * 1_024 * 1_024)}"}`),
  "a body without credentials": () => post("[".repeat(100_000), { headers: { authorization: "Bearer wrong" } }),
  "deep JSON": () => post(message("echo", JSON.parse(`${'{"a":'.repeat(500)}1${"}".repeat(500)}`) as unknown)),
  "broken JSON": () => post('{"jsonrpc":"2.0",'),
  "an unknown tool": () => post(message("no_such_tool", {}), { tool: "no_such_tool" }),
  "wrong arguments": () => post(message("echo", { text: Array.from({ length: 2_000 }, (_, i) => ({ i })) })),
  "a throwing tool": () => post(message("throws", {}), { tool: "throws" }),
  "a tool that never ends": () => post(message("hangs", {}), { tool: "hangs" }),
  "an aborted call": () => post(message("hangs", {}), { tool: "hangs", abortMs: 20 }),
  "a new key for each call": () => post(message("echo", { text: "x" }, key(`k${turn}`))),
  "a large outcome under a key": () => post(message("large", {}, key(`l${turn}`)), { tool: "large" }),
  "the same key with other arguments": () => post(message("echo", { text: String(turn) }, key("same"))),
  "a failing REST service": () => post(message("getThing", { id: String(turn % 10) }), { tool: "getThing" }),
  "a slow body": slowBody,
};

/** Announces a body, sends a part of it and goes away. */
function slowBody(): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(
        "POST /mcp HTTP/1.1\r\nhost: x\r\nauthorization: Bearer right\r\ncontent-type: application/json\r\n",
      );
      socket.write("content-length: 1000000\r\n\r\n{");
    });
    socket.on("error", () => undefined);
    setTimeout(() => socket.destroy(), 300);
    socket.on("close", () => resolve());
  });
}

async function attack(): Promise<void> {
  const names = Object.keys(ATTACKS);
  while (!isOver()) {
    const name = names[turn++ % names.length] as string;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    await ATTACKS[name]?.().catch(() => undefined);
  }
}

const honest = { calls: 0, failed: 0, ms: [] as number[] };

async function work(): Promise<void> {
  const client = new Client(
    { name: "honest", version: "1.0.0" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  const requestInit = { headers: { authorization: "Bearer right" } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  const mcp = recourse(client);
  while (!isOver()) {
    const started = performance.now();
    const outcome = await mcp.call("echo", { text: "hello" }, { repeatable: true });
    honest.calls += 1;
    if (!outcome.ok) honest.failed += 1;
    honest.ms.push(performance.now() - started);
    await new Promise((resolve) => setTimeout(resolve, HONEST_PAUSE_MS));
  }
  await client.close();
}

async function observe(): Promise<AbuseSample[]> {
  const samples: AbuseSample[] = [];
  while (!isOver()) {
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
    child.send("sample");
    const [sample] = (await once(child, "message")) as [AbuseSample];
    samples.push(sample);
    const { rssMib, heapMib, handles, loopMs } = sample;
    console.log(
      `${samples.length}: memory ${rssMib.toFixed(0)} MiB, heap ${heapMib.toFixed(1)} MiB, handles ${handles}, loop p99 ${loopMs.toFixed(0)} ms`,
    );
  }
  return samples;
}

const [samples] = await Promise.all([observe(), work(), ...Array.from({ length: HOSTILE_CALLERS }, attack)]);
child.disconnect();
const sorted = honest.ms.toSorted((a, b) => a - b);
const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(0);
console.log(`${[...counts.values()].reduce((sum, one) => sum + one, 0)} hostile requests of ${counts.size} sorts`);
console.log(
  `${honest.calls} honest calls, ${honest.failed} failed, p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, worst ${at(1)} ms`,
);

/** The median of a figure in one third of the run. */
function median(third: number, of: (sample: AbuseSample) => number): number {
  const size = Math.floor(samples.length / 3);
  const part = samples.slice(third * size, (third + 1) * size).map(of);
  return part.toSorted((a, b) => a - b)[Math.floor(part.length / 2)] ?? 0;
}

/** What may grow between the second and the last third of the run. */
const LIMITS: readonly [string, (sample: AbuseSample) => number, number][] = [
  ["memory, MiB", ({ rssMib }) => rssMib, 50],
  ["heap, MiB", ({ heapMib }) => heapMib, 15],
  ["handles", ({ handles }) => handles, 40],
];
let isFlat = honest.failed === 0;
for (const [name, of, limit] of LIMITS) {
  const growth = median(2, of) - median(1, of);
  isFlat &&= growth <= limit;
  console.log(
    `${name}: ${median(0, of).toFixed(1)}, ${median(1, of).toFixed(1)}, ${median(2, of).toFixed(1)} (by thirds of the run)`,
  );
}
if (!isFlat) process.exitCode = 1;
console.log(isFlat ? "flat" : "NOT FLAT");
