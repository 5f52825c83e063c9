import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const main = join(import.meta.dirname, "../src/main.ts");
const token = "token-of-the-test";
let child: ChildProcess;
let url: URL;

before(async () => {
  const env = { ...process.env, MCP_TOKEN: token, PORT: "0" };
  child = spawn(process.execPath, [main, "--http"], { env, stdio: ["ignore", "ignore", "pipe"] });
  url = await firstUrl(child);
});

after(async () => {
  child.kill();
  await once(child, "exit");
});

test("with the token, a tool answers", async () => {
  const client = new Client({ name: "test", version: "0.1.0" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  const { content } = await client.callTool({ name: "get_order", arguments: { order: 7 } });
  assert.deepEqual(content, [{ type: "text", text: "Order 7: a lamp for 42.00 euros, shipped." }]);
  await client.close();
});

test("without the token, every request is refused before it is read", async () => {
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const reply = await fetch(url, { method: "POST", headers, body: "{" });
  assert.equal(reply.status, 401);
  assert.equal(reply.headers.get("www-authenticate"), "Bearer");
});

test("a page that has its own host name lead to this machine is refused", async () => {
  const headers = { host: "attacker.example", authorization: `Bearer ${token}` };
  const sent = request(url, { method: "POST", headers }).end("{}");
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  answer.resume();
  assert.equal(answer.statusCode, 403);
});

test("without a token of its own, the server does not start", async () => {
  const { MCP_TOKEN: _none, ...env } = process.env;
  const refused = spawn(process.execPath, [main, "--http"], { env, stdio: "ignore" });
  const [code] = await once(refused, "exit");
  assert.equal(code, 1);
});

async function firstUrl({ stderr }: ChildProcess): Promise<URL> {
  if (stderr === null) throw new Error("standard error is not a pipe");
  for await (const line of createInterface({ input: stderr })) {
    const [found] = /http:\S+/.exec(line) ?? [];
    if (found !== undefined) return new URL(found);
  }
  throw new Error("the server ended before it listened");
}
