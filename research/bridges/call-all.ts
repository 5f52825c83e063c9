import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { type Answer, assess, type Verdict } from "./assess.ts";
import { type Command, KEY, type Peer } from "./peers.ts";
import { REPLIES } from "./replies.ts";
import { plantedAt } from "./upstream.ts";

/** A client that has no answer by then has given up. */
export const MAX_WAIT_MS = 20_000;

/** One reply of the table with what became of it. */
export interface Row extends Verdict {
  readonly name: string;
  readonly status: number;
  readonly isWrite: boolean;
  /** What the client has. */
  readonly seen: unknown;
}

/** Starts a bridge, and calls it once for every reply of the table. */
export async function callAll(peer: Peer, { args, env }: Command): Promise<readonly Row[]> {
  const client = new Client({ name: "bench", version: "1.0.0" });
  const command = { command: process.execPath, args: [...args], env: { ...inherited(), ...env } };
  const transport = new StdioClientTransport({ ...command, stderr: "ignore" });
  await client.connect(transport);
  try {
    const { tools } = await client.listTools();
    // Names differ from bridge to bridge.
    const named = (word: string) => tools.find(({ name }) => name.toLowerCase().includes(word))?.name ?? word;
    const [read, change] = [named("read"), named("change")];
    return await Promise.all(
      REPLIES.map(async (reply, index) => {
        const isWrite = reply.method === "POST";
        const args = { id: String(index), ...(isWrite && peer.body) };
        const answer = await ask(client, isWrite ? change : read, args);
        const verdict = assess(reply, answer, [...plantedAt(index).canaries, KEY]);
        return { name: reply.name, status: reply.status, isWrite, ...verdict, seen: answer.seen };
      }),
    );
  } finally {
    await client.close();
  }
}

async function ask(client: Client, name: string, args: Record<string, unknown>): Promise<Answer> {
  try {
    const seen = await client.callTool({ name, arguments: args }, { timeout: MAX_WAIT_MS });
    return { seen, isFailure: seen.isError === true, isMissing: false };
  } catch (error) {
    const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown };
    return { seen: { code, message, data }, isFailure: true, isMissing: code === "REQUEST_TIMEOUT" };
  }
}

/** What a process needs to find its programs, and nothing else. */
function inherited(): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH, HOME };
}
