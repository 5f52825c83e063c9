// The program against clients that are not ours, each asking for misbehaviours in its own way.
import { execFile, spawnSync } from "node:child_process";
import { request } from "node:http";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { afterEach, expect, test } from "vitest";
import { COMPILE_CACHE } from "../support/compile-cache.ts";
import { RECOURSE, type RunningPeer, startPeer } from "./start-peer.ts";

const run = promisify(execFile);
const INFO = { name: "caller", version: "1.0.0" };
const CHARGE = { name: "charge", arguments: { amount: 5 } };
const LONG = { timeout: 120_000 };

const running: RunningPeer[] = [];
async function start(...args: string[]): Promise<RunningPeer> {
  const peer = await startPeer(...args);
  running.push(peer);
  return peer;
}
afterEach(async () => {
  for (const peer of running.splice(0)) await peer.end();
});

function isInstalled(program: string): boolean {
  return spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0;
}

async function effectsOf(peer: RunningPeer): Promise<unknown> {
  const state = (await (await fetch(new URL("/control", peer.firstLine))).json()) as { effects: unknown };
  return state.effects;
}

test("the official client of version 2: the answer is lost, the effect is not", LONG, async () => {
  const peer = await start("--next", "lost-socket");
  const client = new ClientV2(INFO);
  await client.connect(new HttpV2(new URL(peer.firstLine)));
  await expect(client.callTool(CHARGE)).rejects.toThrow();
  expect((await client.callTool(CHARGE)).content).toEqual([{ type: "text", text: "Charged 5." }]);
  await client.close();
  expect(await effectsOf(peer)).toMatchObject({ total: 2 });
  const lost = "lost-socket. Carries the call out, then destroys the socket.";
  await expect.poll(peer.stderr, { timeout: 60_000 }).toMatch(/^tools\/call charge \(id \d+\): ok$/m);
  expect(peer.stderr()).toMatch(new RegExp(`^tools/call charge \\(id \\d+\\): ${lost}$`, "m"));
  expect(await peer.end()).toBe(130);
});

test("the official client of version 1: by tool, and the reports as JSON", LONG, async () => {
  const peer = await start("--tool", "charge=replay-thrown-error", "--json");
  const { url, control } = JSON.parse(peer.firstLine) as { url: string; control: string };
  expect(control).toBe(new URL("/control", url).href);
  const client = new ClientV1(INFO);
  await client.connect(new HttpV1(new URL(url)) as never);
  expect(await client.callTool(CHARGE)).toMatchObject({ isError: true });
  await client.close();
  const charged = () =>
    peer
      .stderr()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { message?: { tool?: string } })
      .find(({ message }) => message?.tool === "charge");
  await expect.poll(charged, { timeout: 60_000 }).toMatchObject({ message: { step: "replay-thrown-error" } });
});

test("plain HTTP: a header asks, and what is no message is reported too", LONG, async () => {
  const { firstLine, stderr } = await start();
  const statusOf = (method: string, path: string, headers = {}, body = "") =>
    new Promise((resolve, reject) => {
      request(new URL(path, firstLine), { method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on("error", reject)
        .end(body);
    });
  const json = { "content-type": "application/json" };
  const ping = '{"jsonrpc":"2.0","id":"\\u001b[2J","method":"ping"}';
  expect(await statusOf("POST", "/mcp", { ...json, "recourse-misbehave": "503-bare" }, ping)).toBe(503);
  expect(await statusOf("POST", "/mcp", json, "{")).toBe(400);
  expect(await statusOf("GET", "/nowhere")).toBe(404);
  await expect.poll(stderr, { timeout: 60_000 }).toContain("GET /nowhere\n");
  expect(stderr()).toContain("ping (id [2J): 503-bare. 503 without Retry-After.\n");
  expect(stderr()).toContain("a message that cannot be read: protocol/parse_error\n");
  expect(stderr()).not.toContain("\u001b");
});

test("curl: the control address, as the list shows it", LONG, async ({ skip }) => {
  skip(!isInstalled("curl"), "curl is not installed");
  const { firstLine } = await start();
  const at = new URL("/control", firstLine).href;
  const order = await run("curl", ["-sS", "-d", '{"next":["429-seconds"],"on":"ping"}', at]);
  expect(JSON.parse(order.stdout)).toMatchObject({ effects: { total: 0 } });
  const body = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  const answer = await run("curl", ["-sS", "-i", "-H", "content-type: application/json", "-d", body, firstLine]);
  expect(answer.stdout).toMatch(/^HTTP\/1.1 429 [\s\S]*retry-after: 2/i);
});

test("Python: every way to ask", LONG, async ({ skip }) => {
  skip(!isInstalled("python3"), "python3 is not installed");
  const { firstLine } = await start("--next", "lost-stream");
  const client = fileURLToPath(new URL("./client.py", import.meta.url));
  const { stdout } = await run("python3", [client, firstLine]);
  const seen = JSON.parse(stdout) as Record<string, unknown>;
  expect(seen).toMatchObject({ option: [200, ""], behaves: 200, header: 429, effects: 4 });
  expect(seen["meta"]).toEqual([200, expect.stringMatching(/^\{"jsonrpc":"2.0","id":1,"result":\{"conten$/)]);
  expect(seen["control"]).toMatch(/^(?:ConnectionResetError|RemoteDisconnected)$/);
});

test.each(["v1", "v2"])("on stdio with the official client, %s", LONG, async (version) => {
  const args = [...RECOURSE, "peer", "--stdio", "--next", "lost-exit"];
  const start = { command: process.execPath, args, env: COMPILE_CACHE };
  const client = version === "v1" ? new ClientV1(INFO) : new ClientV2(INFO);
  const transport =
    version === "v1" ? new StdioV1({ ...start, stderr: "pipe" }) : new StdioV2({ ...start, stderr: "pipe" });
  let stderr = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  await client.connect(transport as never, LONG);
  await expect(client.callTool(CHARGE)).rejects.toThrow(/closed/i);
  await expect.poll(() => stderr, { timeout: 60_000 }).toContain("worker: giving up");
  expect(stderr).toMatch(/^tools\/call charge \(id \d+\): lost-exit\. Carries the call out/m);
  await client.close();
});

test("a port that is in use is a sentence, and so is a wrong name", LONG, async () => {
  const { firstLine } = await start();
  const { port } = new URL(firstLine);
  const failed = (...args: string[]) =>
    run(process.execPath, [...RECOURSE, "peer", ...args], { env: { ...process.env, ...COMPILE_CACHE } }).then(
      () => "worked",
      ({ code, stderr }: { code: number; stderr: string }) => [code, stderr],
    );
  expect(await failed("--port", port)).toEqual([2, expect.stringContaining(`Port ${port} is already in use.`)]);
  expect(await failed("--next", "lost-sock")).toEqual([2, expect.stringContaining('did you mean "lost-socket"?')]);
});
