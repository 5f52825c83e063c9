import { fileURLToPath } from "node:url";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { bundleProgram } from "@recourse/test-kit/bundle";
import { holdTimers } from "@recourse/test-kit/held-timers";
import { isNightly } from "@recourse/test-kit/runs";
import { misbehaveStdio, type StdioMisbehaviourName } from "@recourse/testing/peer";
import { expect, test } from "vitest";
import type { SdkClient } from "./sdk-clients.ts";

const INFO = { name: "caller", version: "1.0.0" };

const PROGRAM = new URL("stdio.ts", import.meta.resolve("@recourse/testing/peer"));

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
  ["v1", "lost-exit", "McpError -32000"],
  ["v2", "dropped-exit", "SdkError CONNECTION_CLOSED"],
  ["v1", "partial-line", "McpError -32001"],
] as const satisfies readonly Row[];

const CASES_AT_NIGHT = [
  ["v2", "garbage-lines", "ok"],
  ["v2", "lost-kill", "SdkError CONNECTION_CLOSED"],
  ["v2", "lost-stdout", "SdkError REQUEST_TIMEOUT"],
] as const satisfies readonly Row[];

type Row = readonly ["v1" | "v2", StdioMisbehaviourName, string];

/** The client waits for their answers until its time is over. */
const WITHOUT_ANSWER: readonly StdioMisbehaviourName[] = ["partial-line", "lost-stdout"];
const TIMEOUT_MS = 3_600_000;

test.each([...CASES, ...(isNightly ? CASES_AT_NIGHT : [])])(
  "%s over stdio: %s is %s",
  async (version, name, expected) => {
    using timeout = holdTimers(TIMEOUT_MS);
    using peer = misbehaveStdio({ steps: [name] });
    const bundled = [await bundleProgram(PROGRAM), ...peer.args.slice(2)];
    const client = await connect(version, { command: peer.command, args: bundled });
    const outcome = client.call("charge", { amount: 1 }, { timeout: TIMEOUT_MS }).then(
      () => "ok",
      (error: Error & { code?: unknown }) => `${error.constructor.name} ${error.code}`,
    );
    if (WITHOUT_ANSWER.includes(name)) {
      await expect.poll(() => peer.effects().total).toBe(1);
      timeout.fire();
    }
    expect(await outcome).toBe(expected);
    expect(peer.effects().total).toBe(name === "dropped-exit" ? 0 : 1);
    if (name.endsWith("-exit")) await expect.poll(client.stderr).toContain("worker: giving up");
    await client.close();
  },
);

test("the program is beside its module, and can be started by hand", () => {
  using peer = misbehaveStdio();
  expect(peer.command).toBe(process.execPath);
  expect(peer.args.slice(0, 2)).toEqual(["--conditions=@recourse/source", fileURLToPath(PROGRAM)]);
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
