// A server that carries a call out and then loses the reply, at random; and official clients that call it many times.
import { randomUUID } from "node:crypto";
import type { Outcome } from "../../../src/client/index.ts";
import { recourse, watch } from "../../../src/client/index.ts";
import { type Effects, misbehave, type PeerStep } from "../../../src/testing/peer/index.ts";
import type { Era } from "../peers.ts";
import { connectWatched } from "./watched/server.ts";

/** Ways to treat a call; all that lose something, and enough good ones that repeating is worth while. */
const STEPS: readonly PeerStep[] = [
  "lost-socket",
  "lost-stream",
  "lost-stream-reset",
  "lost-502",
  "lost-504",
  "lost-silence",
  "dropped-socket",
  "reset-mid-body",
  "accepted-202",
  "429-bare",
  ...Array.from({ length: 8 }, () => "ok" as const),
];

/** What is tried. */
export interface Trial {
  readonly era: Era;
  /** Every call has a key, and the server honours keys. */
  readonly keyed: boolean;
  readonly watched: boolean;
  readonly runs: number;
  readonly seed: number;
}

/** How one call ended, and how often it really happened. */
export interface Ended {
  readonly outcome: Outcome<unknown>;
  readonly effects: number;
  /** Requests that reached the server. */
  readonly arrived: number;
}

const AT_ONCE = 25;

/** Makes many calls, some at a time, and looks in the server's book what came of each. */
export async function lostReplies({ era, keyed, watched: isWatched, runs, seed }: Trial): Promise<readonly Ended[]> {
  const random = randomOf(seed);
  const peer = await misbehave({
    keys: keyed,
    choose: (ask) => (ask.method === "tools/call" ? STEPS[Math.floor(random() * STEPS.length)] : undefined),
  });
  const watched = watch();
  const client = await connectWatched(era, peer.url, isWatched ? watched : { ...watched, fetch });
  const ids: string[] = [];
  const mcp = recourse(client as never, {
    ...(isWatched && { watched }),
    attemptMs: 400,
    deadlineMs: 10_000,
    policy: { attempts: 4, baseMs: 2, busyMs: 2 },
    // They would end calls for other reasons than the one that is looked at here.
    breaker: false,
    budget: false,
    random,
    mint: () => {
      const id = randomUUID();
      ids.push(id);
      return id;
    },
  });
  const ended: { readonly id: string; readonly outcome: Outcome<unknown> }[] = [];
  let begun = 0;
  async function caller(): Promise<void> {
    while (begun < runs) {
      const order = `order-${begun++}`;
      const pending = mcp.call("charge", { amount: 1, order }, { conversation: {}, ...(keyed && { key: order }) });
      const id = ids.at(-1) ?? "";
      ended.push({ id, outcome: await pending });
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  const effects: Effects = peer.effects();
  const arrived = new Map<string, number>();
  for (const { call } of peer.calls) arrived.set(call, (arrived.get(call) ?? 0) + 1);
  await client.close();
  await peer.close();
  return ended.map(({ id, outcome }) => ({
    outcome,
    effects: effects.calls[id] ?? 0,
    arrived: arrived.get(id) ?? 0,
  }));
}

/** The same numbers in [0, 1) for the same seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
