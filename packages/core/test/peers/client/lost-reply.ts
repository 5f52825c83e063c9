// Many calls of official clients to a server that carries calls out and then loses replies at random.
import { randomUUID } from "node:crypto";
import type { Era } from "@recourse/test-kit/sdk-pairs";
import { seededRandom } from "@recourse/test-kit/seeded-random";
import { type EffectCounts, misbehave, type PeerStep } from "@recourse/testing/peer";
import { type Outcome, observeTransport, recourse } from "../../../src/client/index.ts";
import { connectObserved } from "./observed/call-server.ts";

/** Steps for each call: those that lose something, and enough good ones for a retry to succeed. */
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

/** Options of one run. */
export interface LostReplyOptions {
  readonly era: Era;
  /** Whether every call has an idempotency key, and the server honours keys. */
  readonly withKeys: boolean;
  /** Whether the transport is observed. */
  readonly observed: boolean;
  /** The number of calls. */
  readonly calls: number;
  readonly seed: number;
}

/** How one call ended, and how often it really had an effect. */
export interface EndedCall {
  readonly outcome: Outcome<unknown>;
  readonly effects: number;
  /** Requests that reached the server. */
  readonly requests: number;
}

/** Few enough that a busy machine answers each attempt in its time. */
const CONCURRENCY = 10;

/** Makes many concurrent calls, and returns the outcome and the effects of each. */
export async function callWithLostReplies(options: LostReplyOptions): Promise<readonly EndedCall[]> {
  const { era, withKeys, observed } = options;
  const random = seededRandom(options.seed);
  const peer = await misbehave({
    idempotency: withKeys,
    choose: (ask) => (ask.method === "tools/call" ? STEPS[Math.floor(random() * STEPS.length)] : undefined),
  });
  const observer = observeTransport();
  const client = await connectObserved(era, peer.url, observed ? observer : { ...observer, fetch });
  const ids: string[] = [];
  const mcp = recourse(client as never, {
    ...(observed && { transport: observer }),
    timeoutMs: 400,
    deadlineMs: 10_000,
    // Breaker and budget would end calls for other reasons.
    retry: { policy: { attempts: 4, baseMs: 2, overloadBaseMs: 2 }, breaker: false, budget: false },
    testing: {
      random,
      createId: () => {
        const id = randomUUID();
        ids.push(id);
        return id;
      },
    },
  });
  const outcomes: { readonly id: string; readonly outcome: Outcome<unknown> }[] = [];
  let started = 0;
  async function caller(): Promise<void> {
    while (started < options.calls) {
      const order = `order-${started++}`;
      const pending = mcp.call(
        "charge",
        { amount: 1, order },
        { conversation: {}, ...(withKeys && { idempotencyKey: order }) },
      );
      const id = ids.at(-1) ?? "";
      outcomes.push({ id, outcome: await pending });
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, caller));
  const effects: EffectCounts = peer.effects();
  const requests = new Map<string, number>();
  for (const { callId } of peer.calls) requests.set(callId, (requests.get(callId) ?? 0) + 1);
  await peer.close();
  return outcomes.map(({ id, outcome }) => ({
    outcome,
    effects: effects.calls[id] ?? 0,
    requests: requests.get(id) ?? 0,
  }));
}
