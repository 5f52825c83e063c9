// What the worst request of a caller without credentials costs a server: CPU, memory and delay of the event loop, bare and
// guarded, each in a process of its own: `npm run research -- anonymous`.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { guard, guardHandler } from "@recourse/core/server";
import * as z from "zod";
import { webRequest } from "../../bench/web-request.ts";

const REQUESTS = 5;
const MIB = 1_024 * 1_024;

/** What a process has used since the last sample. */
interface Sample {
  readonly cpuMs: number;
  readonly peakMib: number;
  readonly loopMs: number;
}

const bodyOf = (item: string, bytes: number) => {
  const message = (items: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"text":[${items}]}}}`;
  return message(
    Array(Math.floor(bytes / (item.length + 1)))
      .fill(item)
      .join(),
  );
};

const BODIES: Readonly<Record<string, () => string>> = {
  "16 MiB of numbers": () => bodyOf("0", 16 * MIB - 200),
  "16 MiB of empty objects": () => bodyOf("{}", 16 * MIB - 200),
  "4 MiB of empty objects": () => bodyOf("{}", 4 * MIB - 200),
  "16 MiB of one text": () => bodyOf(`"${"x".repeat(16 * MIB - 300)}"`, 16 * MIB - 200),
};

const handlers = {
  bare: () => createMcpHandler(() => echoServer()),
  guarded: () =>
    guardHandler(
      createMcpHandler(() => guard(echoServer(), { sink: () => {} })),
      {
        sink: () => {},
        auth: { authenticate: (request) => ({ ok: request.headers.get("authorization") === "Bearer right" }) },
      },
    ),
} as const;

function echoServer(): McpServer {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  server.registerTool("echo", { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({
    content: [{ type: "text", text }],
  }));
  return server;
}

/** Runs in the child: serves, and sends a sample whenever it is asked. */
function serve(which: keyof typeof handlers): void {
  const handler = handlers[which]();
  const server = createServer(async (request, response) => {
    const answer = await handler.fetch(webRequest(request)).catch(() => new Response(null, { status: 500 }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  let peak = 0;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
  let cpu = process.cpuUsage();
  process.on("message", () => {
    const used = process.cpuUsage(cpu);
    const sample: Sample = {
      cpuMs: (used.user + used.system) / 1_000,
      peakMib: Math.max(peak, process.memoryUsage().rss) / MIB,
      loopMs: delay.max / 1e6,
    };
    process.send?.(sample);
    cpu = process.cpuUsage();
    peak = 0;
    delay.reset();
  });
  process.on("disconnect", () => {
    clearInterval(watch);
    process.exit();
  });
  delay.enable();
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
}

async function sampleOf(child: ChildProcess): Promise<Sample> {
  child.send("sample");
  const [sample] = (await once(child, "message")) as [Sample];
  return sample;
}

async function post(port: number, body: string): Promise<number> {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  try {
    const response = await fetch(`http://127.0.0.1:${port}/mcp`, { method: "POST", headers, body });
    await response.arrayBuffer();
    return response.status;
  } catch {
    // The server has answered and closed before the whole body was sent.
    return 0;
  }
}

async function main(): Promise<void> {
  console.log("body | server | status | CPU per request | peak memory | longest delay of the loop");
  for (const [name, make] of Object.entries(BODIES)) {
    const body = make();
    for (const which of Object.keys(handlers)) {
      const child = fork(fileURLToPath(import.meta.url), [which]);
      const [port] = (await once(child, "message")) as [number];
      await post(port, "{}");
      const { peakMib: idle } = await sampleOf(child);
      let status = 0;
      for (let i = 0; i < REQUESTS; i++) status = await post(port, body);
      const { cpuMs, peakMib, loopMs } = await sampleOf(child);
      const cells = [
        `${(cpuMs / REQUESTS).toFixed(1)} ms`,
        `+${(peakMib - idle).toFixed(0)} MiB`,
        `${loopMs.toFixed(0)} ms`,
      ];
      console.log([name, which, status || "closed", ...cells].join(" | "));
      child.disconnect();
      await once(child, "exit");
    }
  }
}

const [, , which] = process.argv;
if (which === "bare" || which === "guarded") serve(which);
else await main();
