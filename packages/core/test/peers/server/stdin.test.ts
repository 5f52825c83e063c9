// How servers of the official SDK on stdio treat lines that they cannot read, as real processes, bare and guarded.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { bundleProgram } from "@recourse/test-kit/bundle";
import { isNightly } from "@recourse/test-kit/runs";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";

const importPath = (name: string) => JSON.stringify(import.meta.resolve(name));
const server = await bundleProgram(new URL("../../../src/server/index.ts", import.meta.url));
const SERVER_MODULE = JSON.stringify(pathToFileURL(server).href);
const ECHO = `.registerTool("size", { inputSchema: z.object({ text: z.string() }) }, ({ text }) => ({ content: [{ type: "text", text: String(text.length) }] }));`;

/** How each variant of the SDK serves over stdio. */
const SERVERS = {
  "v1 transport": [
    `import { McpServer } from ${importPath("@modelcontextprotocol/sdk/server/mcp.js")};`,
    `import { StdioServerTransport } from ${importPath("@modelcontextprotocol/sdk/server/stdio.js")};`,
    `const server = new McpServer({ name: "s", version: "1" }); server${ECHO}`,
    "await server.connect(new StdioServerTransport());",
  ],
  "v2 transport": [
    `import { McpServer } from ${importPath("@modelcontextprotocol/server")};`,
    `import { StdioServerTransport } from ${importPath("@modelcontextprotocol/server/stdio")};`,
    `const server = new McpServer({ name: "s", version: "1" }); server${ECHO}`,
    "await server.connect(new StdioServerTransport());",
  ],
  "v2 serveStdio": [
    `import { McpServer } from ${importPath("@modelcontextprotocol/server")};`,
    `import { serveStdio } from ${importPath("@modelcontextprotocol/server/stdio")};`,
    `serveStdio(() => { const server = new McpServer({ name: "s", version: "1" }); server${ECHO} return server; });`,
  ],
} as const;

const folder = mkdtempSync(join(tmpdir(), "stdin-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Answer {
  readonly id?: unknown;
  readonly result?: { readonly content: readonly { readonly text: string }[] };
  readonly error?: { readonly code: number; readonly data: Readonly<Record<string, { readonly reason: string }>> };
}

function start(variant: keyof typeof SERVERS, first: readonly string[]) {
  const file = join(folder, `${variant.replace(" ", "-")}-${first.length}.ts`);
  writeFileSync(file, [`import * as z from ${importPath("zod")};`, ...first, ...SERVERS[variant]].join("\n"));
  const child = spawn(process.execPath, [file], { stdio: "pipe" });
  onTestFinished(() => void child.kill());
  let err = "";
  child.stderr.on("data", (chunk) => (err += String(chunk)));
  // A process that has exited takes no more input, which is one of the tested cases.
  child.stdin.on("error", () => {});
  const answers: Answer[] = [];
  createInterface(child.stdout).on("line", (line) => answers.push(JSON.parse(line) as Answer));
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  const until = (count: number) => expect.poll(() => answers.length).toBeGreaterThanOrEqual(count);
  const send = (...lines: readonly (string | Uint8Array)[]) => {
    for (const line of lines) child.stdin.write(Buffer.concat([Buffer.from(line), Buffer.from("\n")]));
  };
  const request = (id: number, method: string, params: object) =>
    JSON.stringify({ method, params, jsonrpc: "2.0", id });
  const info = { name: "c", version: "1" };
  send(request(1, "initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: info }));
  send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
  return { answers, closed, until, send, request, stderr: () => err };
}

const call = (text: string) => ({ name: "size", arguments: { text } });
const LARGE = 11 * 1_024 * 1_024;

describe.each(Object.keys(SERVERS) as (keyof typeof SERVERS)[])("%s", (variant) => {
  test("guarded, answers every line that it cannot read, and keeps running", async () => {
    const { answers, until, send, request, stderr } = start(variant, [
      `import { guardStdin } from ${SERVER_MODULE};`,
      "guardStdin();",
    ]);
    await until(1);
    send("nonsense", "42", Buffer.from([0x22, 0xff, 0x22]));
    send(request(2, "tools/call", call("x".repeat(LARGE))), request(3, "tools/call", call("x".repeat(2_000_000))));
    await until(6);
    const refused = answers
      .slice(1, 5)
      .map(({ id, error }) => [id, error?.code, error?.data["recourse/fault"]?.reason]);
    expect(refused).toEqual([
      [undefined, -32700, "protocol/parse_error"],
      [undefined, -32600, "protocol/invalid_request"],
      [undefined, -32600, "content/invalid_encoding"],
      [2, -32602, "content/message_too_large"],
    ]);
    expect(answers[5]).toMatchObject({ id: 3, result: { content: [{ text: "2000000" }] } });
    expect(stderr()).toContain("content/message_too_large");
  });

  // It shows what the guard is for.
  test.runIf(isNightly)("bare, ignores lines that it cannot read, and exits at a line that is too long", async () => {
    const { answers, closed, until, send, request } = start(variant, []);
    await until(1);
    send("nonsense", "42", request(2, "tools/call", call("x")));
    await until(2);
    expect(answers[1]).toMatchObject({ id: 2 });
    send(request(3, "tools/call", call("x".repeat(LARGE))));
    expect(await closed).toBe(0);
    expect(answers).toHaveLength(2);
  });
});
