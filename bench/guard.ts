// What the guard costs: CPU per call, guarded and bare, success and failure, with 1 and 20 tools, in one interleaved run.
// Bare is measured twice, so that the difference between the two shows what the figures are worth: `npm run bench:guard`.
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { guard } from "@recourse/faults/server";
import * as z from "zod";

const ROUNDS = 40;
const CALLS = 60;

function handlerWith(tools: number, guarded: boolean) {
  return createMcpHandler(() => {
    const server = new McpServer({ name: "bench", version: "1.0.0" });
    if (guarded) guard(server, { sink: () => {} });
    for (let i = 0; i < tools; i++) {
      server.registerTool(`ok${i}`, { inputSchema: z.object({ n: z.number() }) }, ({ n }) => ({
        content: [{ type: "text", text: String(n) }],
      }));
    }
    server.registerTool("throws", { inputSchema: z.object({ n: z.number() }) }, () => {
      throw new Error("boom");
    });
    return server;
  });
}

function requestFor(tool: string): () => Request {
  const meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const params = { name: tool, arguments: { n: 1 }, _meta: meta };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": tool,
  };
  return () => new Request("http://localhost/mcp", { method: "POST", headers, body });
}

const median = (all: number[]): number => all.sort((a, b) => a - b)[all.length >> 1] ?? 0;

console.log("tools  case      bare µs  bare again  guarded  A/A %   guard %");
for (const tools of [1, 20]) {
  for (const [what, tool] of [
    ["success", "ok0"],
    ["failure", "throws"],
  ] as const) {
    const make = requestFor(tool);
    const subjects = [handlerWith(tools, false), handlerWith(tools, false), handlerWith(tools, true)];
    const cpu: number[][] = subjects.map(() => []);
    for (let round = -8; round < ROUNDS; round++) {
      for (const [index, subject] of subjects.entries()) {
        const before = process.cpuUsage();
        for (let call = 0; call < CALLS; call++) await (await subject.fetch(make())).text();
        const { user, system } = process.cpuUsage(before);
        if (round >= 0) cpu[index]?.push((user + system) / CALLS);
      }
    }
    const [bare = 0, again = 0, guarded = 0] = cpu.map(median);
    const percent = (of: number) => `${((100 * of) / bare - 100).toFixed(1)}`.padStart(6);
    const cells = [bare, again, guarded].map((us) => us.toFixed(0).padStart(8));
    console.log(`${String(tools).padEnd(6)} ${what} ${cells.join("   ")}   ${percent(again)}   ${percent(guarded)}`);
  }
}
