import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { observeTransport } from "@recourse/faults/client";
import { misbehave } from "@recourse/testing/peer";
import { runAgent } from "../src/agent.ts";
import type { Message, Model } from "../src/model.ts";

const root = join(import.meta.dirname, "..");
const TOKEN = "token-of-the-test";

/** Runs the agent as `npm start` does, and returns what it prints. */
async function start(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [join(root, "src/main.ts"), ...args], {
    env: { ...process.env, MCP_TOKEN: TOKEN },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [printed] = await Promise.all([text(child.stdout), once(child, "exit")]);
  assert.equal(child.exitCode, 0);
  return printed;
}

test("the conversation has a success, a correction, a retry, an approval and a call that is not repeated", async () => {
  const printed = await start("--yes");
  const expected = [
    /Order 7: a lamp for 42\.00 euros, shipped\./,
    /track_parcel \{"order":"7"\}\n.*\n.*Correct the arguments and call again\.\n\nmodel {3}track_parcel \{"order":7\}/,
    /engine {2}unavailable: trying again in \d+ ms\ntool {4}The parcel of order 7 is in Lyon\./,
    /server {2}Refund 319\.00 euros for order 8\? Yes/,
    /engine {2}unavailable, effect possible: not repeated\ntool .*may have taken effect/,
    /Order 9: a chair for 89\.00 euros, refunded\./,
  ];
  for (const part of expected) assert.match(printed, part);
});

test("without an approval there is no refund", async () => {
  const printed = await start();
  assert.match(printed, /The user did not approve the refund of order 8\./);
});

test("over HTTP the user is asked as well", async () => {
  const env = { ...process.env, MCP_TOKEN: TOKEN, PORT: "0" };
  const server = spawn(process.execPath, [join(root, "server/main.ts"), "--http"], {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  try {
    const printed = await start("--yes", "--url", await firstUrl(server.stderr));
    assert.match(printed, /server {2}Refund 319\.00 euros for order 8\? Yes/);
    assert.match(printed, /319\.00 euros for order 8 are refunded\./);
  } finally {
    server.kill();
    await once(server, "exit");
  }
});

test("a server that cannot be reached is named, with the cause", async () => {
  const child = spawn(process.execPath, [join(root, "src/main.ts"), "--url", "http://127.0.0.1:2"], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const [printed] = await Promise.all([text(child.stderr), once(child, "exit")]);
  assert.equal(child.exitCode, 1);
  assert.match(printed, /^Cannot connect to http:\/\/127\.0\.0\.1:2: .*fetch failed\n$/);
});

test("a lost answer to a call that changes something is told to the model, and the call is made once", async () => {
  const peer = await misbehave();
  const transport = observeTransport();
  const client = new Client({ name: "test", version: "0.1.0" });
  await client.connect(new StreamableHTTPClientTransport(peer.url, { fetch: transport.fetch }));
  peer.next("lost-socket");
  const model: Model = async (messages) =>
    messages.length === 1
      ? { call: { id: "1", tool: "charge", arguments: { amount: 5 } } }
      : { answer: textOf(messages.at(-1)) };
  const messages = await runAgent("Charge 5.", { client, transport, model, print: () => {} });
  await client.close();
  assert.match(textOf(messages.at(-1)), /may have taken effect/);
  assert.equal(peer.effects().total, 1);
  await peer.close();
});

async function firstUrl(input: Readable): Promise<string> {
  for await (const line of createInterface({ input })) {
    const [found] = /http:\S+/.exec(line) ?? [];
    if (found !== undefined) return found;
  }
  throw new Error("the server ended before it listened");
}

function textOf(message: Message | undefined): string {
  return message !== undefined && "text" in message ? message.text : "";
}
