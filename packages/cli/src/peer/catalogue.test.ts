import { misbehave, PEER_OPTIONS, type Peer, readPeerOptions } from "@recourse/testing/peer";
import { expect, test } from "vitest";
import { peerCommand as command } from "../commands/index.ts";
import { createTerminal } from "../terminal/terminal.ts";
import { buildCatalogue, type CauseEntry, type PeerCatalogue } from "./catalogue.ts";
import { listText } from "./run.ts";

const catalogue: PeerCatalogue = await buildCatalogue();

test("everything has a sentence", () => {
  for (const { name, about } of [...catalogue.http, ...catalogue.stdio])
    expect([name, about]).toEqual([name, expect.stringMatching(/^[A-Z0-9].+\.$/)]);
  for (const { code, about, steps } of catalogue.causes) {
    expect([code, about]).toEqual([code, expect.stringMatching(/^[A-Z].+\.$/)]);
    expect([code, steps.length]).toEqual([code, expect.any(Number)]);
    expect(steps.length).toBeGreaterThan(0);
  }
});

test("the text names all of it, and no line but what can be copied is longer than the terminal", () => {
  const text = listText(catalogue, createTerminal({ columns: 60, write() {} }, {}));
  for (const { name } of [...catalogue.http, ...catalogue.stdio]) expect(text).toContain(`\n  ${name}`);
  for (const { start } of catalogue.causes) expect(text).toContain(`\n      ${start}\n`);
  const long = text.split("\n").filter((line) => line.length > 60);
  for (const line of long) expect(line).toMatch(/^ {4}(?:curl |"params"| {2}POST )/);
});

test("the command has the options that the peer reads", () => {
  for (const [name, { type, ...more }] of Object.entries(PEER_OPTIONS))
    expect([name, command.options[name]]).toMatchObject([name, { type, ...more }]);
});

/** Causes that need a client which sends while it waits for an answer. */
const TALKING = new Set(["tool/cancelled", "sampling/failed", "elicitation/failed", "progress/token_expired"]);

/** Does what the list says, with nothing but `fetch`; returns the last answer. */
async function follow({ steps }: CauseEntry, { url, controlUrl }: Peer): Promise<unknown> {
  let session: Record<string, string> = {};
  let last = "";
  async function post(
    body: string | Uint8Array<ArrayBuffer>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...session, ...headers },
      body,
    });
    const id = response.headers.get("mcp-session-id");
    if (id !== null) session = { "mcp-session-id": id };
    last = await response.text();
  }
  for (const step of steps) {
    if ("initialize" in step) {
      const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "me", version: "1" } };
      await post(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params }));
      await post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    } else if ("control" in step) await fetch(controlUrl, { method: "POST", body: step.control });
    else await post(bodyOf(step.post), step.headers);
  }
  return JSON.parse(last.startsWith("event:") ? (last.split("data: ").at(-1) ?? "") : last);
}

/** What a line of the list stands for. */
function bodyOf(text: string): string | Uint8Array<ArrayBuffer> {
  if (text.startsWith("bytes ")) return Uint8Array.from(text.slice(6).split(" "), (byte) => Number.parseInt(byte, 16));
  return text.replaceAll(/(\w)\1\1… \((\d+) times\)/g, (_, letter: string, times) => letter.repeat(Number(times)));
}

test.each(catalogue.causes.filter(({ reason }) => !TALKING.has(reason)).map((cause) => [cause.code, cause] as const))(
  "who does what the list says about %d gets that code",
  { timeout: 60_000 },
  async (code, cause) => {
    const read = readPeerOptions({ cause: cause.start.split(" ").at(-1) }, {});
    if (!read.ok) throw new Error(read.problem);
    await using peer = await misbehave(read.options);
    expect(await follow(cause, peer)).toMatchObject({ error: { code } });
  },
);
