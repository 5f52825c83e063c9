// What the guard costs: CPU per call, guarded and bare, success and failure, with 1 and 20 tools, in one interleaved run.
// Bare is measured twice, so that the difference between the two shows what the figures are worth: `npm run bench -- guard`.
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { guard } from "@recourse/core/server";
import * as z from "zod";
import { interleave } from "./interleave.ts";

const ROUNDS = 60;
const CALLS = 60;
const LARGE = "x\n".repeat(100_000);

function handlerWith(tools: number, guarded: boolean) {
  return createMcpHandler(() => {
    const server = new McpServer({ name: "bench", version: "1.0.0" });
    if (guarded) guard(server, { sink: () => {} });
    for (let i = 0; i < tools; i++) {
      server.registerTool(`ok${i}`, { inputSchema: z.object({ n: z.number() }) }, ({ n }) => ({
        content: [{ type: "text", text: String(n) }],
      }));
    }
    server.registerTool("large", { inputSchema: z.object({ n: z.number() }) }, () => ({
      content: [{ type: "text", text: LARGE }],
    }));
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

/** The value below which a share of the sorted values lies. */
const quantile = (all: readonly number[], share: number): number =>
  all.toSorted((a, b) => a - b)[Math.floor(share * (all.length - 1))] ?? 0;

/** CPU of each subject in µs per call, round by round; they take turns, and each is first as often as the others. */
async function measure(subjects: readonly { fetch(request: Request): Promise<Response> }[], make: () => Request) {
  const cpu: number[][] = subjects.map(() => []);
  for (let round = -8; round < ROUNDS; round++) {
    for (let turn = 0; turn < subjects.length; turn++) {
      const index = (turn + round + 8) % subjects.length;
      const before = process.cpuUsage();
      for (let call = 0; call < CALLS; call++) await (await subjects[index]?.fetch(make()))?.text();
      const { user, system } = process.cpuUsage(before);
      if (round >= 0) cpu[index]?.push((user + system) / CALLS);
    }
  }
  return cpu;
}

/**
 * What a subject costs more than another: by the fastest tenth of the rounds, which other work on the machine disturbs
 * least, and by all of them.
 */
function difference(of: readonly number[], from: readonly number[]): string {
  const more = of.map((us, round) => us - (from[round] ?? 0));
  const fastest = quantile(of, 0.1) - quantile(from, 0.1);
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(more, share).toFixed(0));
  return `${fastest.toFixed(0)}, ${middle} (${low} … ${high})`.padStart(26);
}

console.log("µs per call: fastest tenth, median; more by: fastest tenth, median of rounds (their middle half)");
console.log("tools  case         bare            bare again, more by          guarded, more by");
for (const tools of [1, 20]) {
  for (const [what, tool] of [
    ["success", "ok0"],
    ["failure", "throws"],
    ["200 KB ", "large"],
  ] as const) {
    const subjects = [handlerWith(tools, false), handlerWith(tools, false), handlerWith(tools, true)];
    const [bare = [], again = [], guarded = []] = await measure(subjects, requestFor(tool));
    const base = [0.1, 0.5].map((share) => quantile(bare, share).toFixed(0)).join(", ");
    const cells = [base.padStart(12), difference(again, bare), difference(guarded, bare)];
    console.log(`${String(tools).padEnd(6)} ${what} ${cells.join("  ")}`);
  }
}

// What a server of its own for every request pays before it has done anything.
const made = (guarded: boolean) => () => {
  const server = new McpServer({ name: "bench", version: "1.0.0" });
  return guarded ? guard(server, { sink: () => {} }) : server;
};
const times = interleave([
  { name: "new", run: made(false) },
  { name: "new again", run: made(false) },
  { name: "new and guarded", run: made(true) },
]);
console.log([...times].map(([name, ns]) => `${name}: ${(ns / 1_000).toFixed(1)} µs`).join(", "));
