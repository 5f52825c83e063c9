import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, test } from "vitest";

test("a line that is no message is answered, and the next one is served", async () => {
  const script = join(import.meta.dirname, "stdio.ts");
  const server = spawn(process.execPath, ["--conditions=@recourse/source", script], { stdio: "pipe" });
  const lines = createInterface(server.stdout);
  const answers: unknown[] = [];
  lines.on("line", (line) => answers.push(JSON.parse(line)));
  const clientInfo = { name: "c", version: "1.0.0" };
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  server.stdin.write("Traceback (most recent call last):\n");
  server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  await once(lines, "line");
  if (answers.length < 2) await once(lines, "line");
  server.stdin.end();
  await once(server, "close");
  expect(answers).toMatchObject([
    { error: { code: -32700, message: "The message is not valid JSON." } },
    { id: 1, result: { serverInfo: { name: "orders" } } },
  ]);
});
