import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { observeTransport } from "@recourse/faults/client";
import { virtualClock } from "./clock.ts";
import { type Call, type Work, work } from "./model.ts";
import { type Crossing, network } from "./network.ts";
import { plainCall } from "./plain.ts";
import { type Ledger, openShop } from "./shop.ts";
import { type WiseOptions, wiseCall } from "./wise.ts";

/** One run of the job, and what it cost. */
export interface Story {
  readonly name: string;
  readonly crossings: readonly Crossing[];
  readonly work: Work;
  readonly ledger: Ledger;
  readonly elapsedMs: number;
}

/** The ways of calling. */
export const WAYS = {
  "without Recourse": ({ client, clock }) => plainCall(client, clock),
  "with Recourse": (given) => wiseCall(given),
  "and with keys": (given) => wiseCall({ ...given, keys: true }),
} as const satisfies Record<string, (given: Omit<WiseOptions, "keys">) => Call>;

/** Runs the job once, in a world of its own. */
export async function playStory(name: keyof typeof WAYS): Promise<Story> {
  const clock = virtualClock();
  const { ledger, createServer } = openShop(clock);
  const handler = createMcpHandler(createServer);
  const { fetch, crossings } = network((request) => handler.fetch(request), clock);
  const watched = observeTransport({ fetch, testing: { clock: { now: clock.now } } });
  const client = new Client({ name: "agent", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch: watched.fetch }));
  try {
    const done = await work(WAYS[name]({ client, watched, clock }));
    return { name, crossings, work: done, ledger, elapsedMs: clock.now() };
  } finally {
    await client.close();
    await handler.close();
  }
}
