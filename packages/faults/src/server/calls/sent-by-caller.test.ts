import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { McpServer, ResourceTemplate } from "@modelcontextprotocol/sdk/server/mcp.js";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { type GuardOptions, guard } from "../index.ts";
import { sentWith } from "./sent-by-caller.ts";

// A handler whose errors repeat what it was given, at a real server with a real client.

async function connect(options: GuardOptions = { foreignText: "quote" }): Promise<Client> {
  const server = new McpServer({ name: "s", version: "1" });
  guard(server, { sink: () => {}, ...options });
  server.registerTool("leak", { inputSchema: { hint: z.string().optional() } }, () => {
    throw new Error("Cannot open /etc/shadow");
  });
  server.registerTool("open", { inputSchema: { path: z.string() } }, ({ path }) => {
    throw new Error(`No file at ${path}`);
  });
  server.registerTool("login", { inputSchema: { user: z.string(), hint: z.string().optional() } }, ({ user }) => {
    throw new Error(`Login of ${user} failed: password=hunter2`);
  });
  server.registerPrompt("letter", { argsSchema: { to: z.string() } }, ({ to }) => {
    throw new Error(`No address for ${to}`);
  });
  const file = new ResourceTemplate("file:///{name}", { list: undefined });
  server.registerResource("file", file, {}, ({ href }) => {
    throw new Error(`Nothing is stored at ${href}`);
  });
  const client = new Client({ name: "c", version: "1" });
  const [here, there] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(there), client.connect(here)]);
  onTestFinished(() => client.close());
  return client;
}

const call = async (client: Client, name: string, args: Record<string, unknown>) =>
  JSON.stringify(await client.callTool({ name, arguments: args }));
const failureOf = async (answer: Promise<unknown>) =>
  JSON.stringify(await answer.catch((error) => [error.message, error.data]));

it("shows a sentence that repeats an argument of its call", async () => {
  const client = await connect();
  expect(await call(client, "open", { path: "/home/ann/report.pdf" })).toContain("No file at /home/ann/report.pdf");
});

it("hides it where no text of others is shown", async () => {
  const client = await connect({ foreignText: "hide" });
  expect(await call(client, "open", { path: "/home/ann/report.pdf" })).not.toContain("No file");
});

it("does not show what the caller did not send, whatever it sends", async () => {
  const client = await connect();
  for (const hint of [undefined, "password=", "password", "hunter", "Login of eve@x.example failed: password="]) {
    expect(await call(client, "login", { user: "eve@x.example", hint })).not.toContain("hunter2");
  }
});

it("does not take the arguments of one call for those of another", async () => {
  const client = await connect();
  const [sent, unsent] = await Promise.all([
    call(client, "leak", { hint: "/etc/shadow" }),
    call(client, "leak", { hint: "Cannot open" }),
    call(client, "open", { path: "/etc/shadow" }),
  ]);
  expect(sent).toContain("Cannot open /etc/shadow");
  expect(unsent).not.toContain("shadow");
  expect(await call(client, "leak", {})).not.toContain("shadow");
});

it("shows the arguments of a prompt and the address of a resource again", async () => {
  const client = await connect();
  const prompt = client.getPrompt({ name: "letter", arguments: { to: "ann@corp.example" } });
  expect(await failureOf(prompt)).toContain("No address for ann@corp.example");
  const resource = client.readResource({ uri: "file:///a.txt" });
  expect(await failureOf(resource)).toContain("Nothing is stored at file:///a.txt");
});

it("knows what a caller sends freely with each method", () => {
  expect(sentWith({ method: "tools/call", params: { name: "x", arguments: { a: 1 } } })).toEqual({ a: 1 });
  expect(sentWith({ method: "prompts/get", params: { name: "x", arguments: { a: "b" } } })).toEqual({ a: "b" });
  expect(sentWith({ method: "resources/read", params: { uri: "file:///x" } })).toBe("file:///x");
  const params = { ref: { name: "p" }, argument: { name: "a", value: "v" }, context: { arguments: { b: "w" } } };
  expect(sentWith({ method: "completion/complete", params })).toEqual(["v", { b: "w" }]);
  expect(sentWith({ method: "tools/list" })).toBe(undefined);
  expect(sentWith({ method: "toString", params: {} })).toBe(undefined);
});
