// An MCP server over stdio whose tool writes without end.
import { createInterface } from "node:readline";

const text = (value: string) => ({ resultType: "complete", content: [{ type: "text", text: value }] });
const CACHED = { ttlMs: 60_000, cacheScope: "private" };
const ABOUT = { serverInfo: { name: "floods", version: "1.0.0" }, capabilities: { tools: {} } };
const RESULTS: Readonly<Record<string, object>> = {
  "server/discover": { resultType: "complete", supportedVersions: ["2026-07-28"], ...ABOUT, ...CACHED },
  "tools/list": { resultType: "complete", tools: [{ name: "floods", inputSchema: { type: "object" } }], ...CACHED },
};
const STRAY = `${JSON.stringify({ jsonrpc: "2.0", id: "nobody", result: text("x".repeat(1_000)) })}\n`.repeat(50);

let isFlooding = false;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line) as { readonly id?: unknown; readonly method: string };
  const result = RESULTS[method];
  if (result !== undefined) process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
  else if (method === "tools/call" && !isFlooding) {
    isFlooding = true;
    flood();
    setTimeout(() => {
      isFlooding = false;
    }, 5_000);
  }
});
process.stdin.on("end", () => process.exit(0));

function flood(): void {
  if (!isFlooding) return;
  if (process.stdout.write(STRAY)) setImmediate(flood);
  else process.stdout.once("drain", flood);
}
