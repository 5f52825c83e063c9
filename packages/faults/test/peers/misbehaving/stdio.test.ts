import { fileURLToPath } from "node:url";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { misbehaveStdio, type StdioMisbehaviourName } from "@recourse/testing/peer";
import { expect, test } from "vitest";
import type { SdkClient } from "./sdk-clients.ts";

const INFO = { name: "caller", version: "1.0.0" };

/** A client of one version, connected to a new process. It keeps what the process writes to stderr. */
async function connect(version: "v1" | "v2", start: { command: string; args: readonly string[] }) {
  const parameters = { command: start.command, args: [...start.args], stderr: "pipe" as const };
  const client = version === "v1" ? new ClientV1(INFO) : new ClientV2(INFO);
  const transport = version === "v1" ? new StdioV1(parameters) : new StdioV2(parameters);
  client.onerror = () => {};
  let stderr = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  await client.connect(transport as never);
  const call: SdkClient["call"] = (name, args = {}, options = {}) =>
    client instanceof ClientV1
      ? client.callTool({ name, arguments: args }, undefined, options)
      : client.callTool({ name, arguments: args }, options);
  return { call, stderr: () => stderr, close: () => client.close() };
}

/** What a client sees. Starting a process is slow, so each row is tested with one version only. */
const CASES = [
  ["v2", "garbage-lines", "ok"],
  ["v1", "lost-exit", "McpError -32000"],
  ["v2", "lost-kill", "SdkError CONNECTION_CLOSED"],
  ["v2", "dropped-exit", "SdkError CONNECTION_CLOSED"],
  ["v1", "partial-line", "McpError -32001"],
  ["v2", "lost-stdout", "SdkError REQUEST_TIMEOUT"],
] as const satisfies readonly (readonly ["v1" | "v2", StdioMisbehaviourName, string])[];

/** No answer comes, so a short timeout is enough. */
const WITHOUT_ANSWER: readonly StdioMisbehaviourName[] = ["partial-line", "lost-stdout"];

test.each(CASES)("%s over stdio: %s is %s", async (version, name, expected) => {
  using peer = misbehaveStdio({ steps: [name] });
  const client = await connect(version, peer);
  const timeout = WITHOUT_ANSWER.includes(name) ? 500 : 60_000;
  const outcome = await client.call("charge", { amount: 1 }, { timeout }).then(
    () => "ok",
    (error: Error & { code?: unknown }) => `${error.constructor.name} ${error.code}`,
  );
  expect(outcome).toBe(expected);
  expect(peer.effects().total).toBe(name === "dropped-exit" ? 0 : 1);
  if (name.endsWith("-exit")) await expect.poll(client.stderr, { timeout: 30_000 }).toContain("worker: giving up");
  await client.close();
});

test("the program is beside its module, and can be started by hand", () => {
  using peer = misbehaveStdio();
  expect(peer.command).toBe(process.execPath);
  const program = fileURLToPath(new URL("stdio.ts", import.meta.resolve("@recourse/testing/peer")));
  expect(peer.args.slice(0, 2)).toEqual(["--conditions=@recourse/source", program]);
});

test("effects are counted in all processes of a peer", async () => {
  using peer = misbehaveStdio({
    steps: ["lost-exit"],
    tools: { echo: "not-json" },
    idempotency: true,
    dialect: "erlmcp",
    delayMs: 9,
  });
  expect(peer.effects()).toEqual({ total: 0, calls: {}, keys: {} });
  for (const order of ["a", "b"]) {
    const client = await connect("v2", peer);
    await expect(client.call("charge", { amount: 1, order })).rejects.toThrow("Connection closed");
    await client.close();
  }
  expect(peer.effects()).toEqual({ total: 2, calls: { a: 1, b: 1 }, keys: {} });
  expect(peer.args.slice(-9)).toEqual([
    "--next",
    "lost-exit",
    "--tool",
    "echo=not-json",
    "--idempotency",
    "--dialect",
    "erlmcp",
    "--delay-ms",
    "9",
  ]);
});
