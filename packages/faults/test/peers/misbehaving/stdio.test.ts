import { fileURLToPath } from "node:url";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, test } from "vitest";
import { misbehaveStdio, type StdioMisbehaviourName } from "../../../src/testing/peer/index.ts";
import type { Caller } from "./clients.ts";

const INFO = { name: "caller", version: "1.0.0" };

/** A client of one version, connected to a process of its own; what the process says on stderr is kept. */
async function connect(version: "v1" | "v2", start: { command: string; args: readonly string[] }) {
  const parameters = { command: start.command, args: [...start.args], stderr: "pipe" as const };
  const client = version === "v1" ? new ClientV1(INFO) : new ClientV2(INFO);
  const transport = version === "v1" ? new StdioV1(parameters) : new StdioV2(parameters);
  client.onerror = () => {};
  let complaints = "";
  transport.stderr?.on("data", (chunk: Buffer) => {
    complaints += chunk.toString();
  });
  await client.connect(transport as never);
  const call: Caller["call"] = (name, args = {}, options = {}) =>
    client instanceof ClientV1
      ? client.callTool({ name, arguments: args }, undefined, options)
      : client.callTool({ name, arguments: args }, options);
  return { call, complaints: () => complaints, close: () => client.close() };
}

/** What a client sees. A process takes long to start, so that each row is looked at with one of them. */
const CASES = [
  ["v2", "garbage-lines", "ok"],
  ["v1", "lost-exit", "McpError -32000"],
  ["v2", "lost-kill", "SdkError CONNECTION_CLOSED"],
  ["v2", "dropped-exit", "SdkError CONNECTION_CLOSED"],
  ["v1", "partial-line", "McpError -32001"],
  ["v2", "lost-stdout", "SdkError REQUEST_TIMEOUT"],
] as const satisfies readonly (readonly ["v1" | "v2", StdioMisbehaviourName, string])[];

/** Nothing comes, so it is not worth while to wait. */
const SILENT: readonly StdioMisbehaviourName[] = ["partial-line", "lost-stdout"];

test.each(CASES)("%s over stdio: %s is %s", async (version, name, seen) => {
  using peer = misbehaveStdio({ script: [name] });
  const client = await connect(version, peer);
  const timeout = SILENT.includes(name) ? 500 : 60_000;
  const said = await client.call("charge", { amount: 1 }, { timeout }).then(
    () => "ok",
    (error: Error & { code?: unknown }) => `${error.constructor.name} ${error.code}`,
  );
  expect(said).toBe(seen);
  expect(peer.effects().total).toBe(name === "dropped-exit" ? 0 : 1);
  if (name.endsWith("-exit")) await expect.poll(client.complaints, { timeout: 30_000 }).toContain("worker: giving up");
  await client.close();
});

test("the program lies where it can be started by hand", () => {
  using peer = misbehaveStdio();
  expect(peer.command).toBe(process.execPath);
  expect(peer.args[0]).toBe(fileURLToPath(new URL("../../../src/testing/peer/stdio.ts", import.meta.url)));
});

test("effects are counted over all processes of a peer", async () => {
  using peer = misbehaveStdio({
    script: ["lost-exit"],
    tools: { echo: "not-json" },
    keys: true,
    dialect: "erlmcp",
    ms: 9,
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
    "--keys",
    "--dialect",
    "erlmcp",
    "--ms",
    "9",
  ]);
});
