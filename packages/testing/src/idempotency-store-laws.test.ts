import { type IdempotencyStore, memoryIdempotency } from "@recourse/core/server";
import { describe, expect, it } from "vitest";
import { idempotencyStoreLaws, type StoreLimits } from "./idempotency-store-laws.ts";

let time = 0;
const wait = async (ms: number) => {
  time += ms;
};
const memory = (limits: StoreLimits) => memoryIdempotency({ ...limits, testing: { clock: { monotonic: () => time } } });
const lawsOf = (change: (store: IdempotencyStore) => Partial<IdempotencyStore>) =>
  idempotencyStoreLaws((limits) => ({ ...memory(limits), ...change(memory(limits)) }), { wait });

/** Stores that are wrong in one way, and what they break. */
const WRONG: readonly (readonly [part: string, change: (store: IdempotencyStore) => Partial<IdempotencyStore>])[] = [
  ["claimed once", () => ({ settle: async () => {} })],
  [
    "of many who claim",
    (store) => ({
      // Looks, waits, then claims.
      begin: async (key, digest, claim) => {
        await Promise.resolve();
        const state = await store.begin(key, digest, claim);
        return state.state === "running" ? { state: "new", fence: 1 } : state;
      },
    }),
  ],
  [
    "take over a key at once",
    (store) => ({ begin: (key, digest, claim) => store.begin(key, digest, { ...claim, honoured: false }) }),
  ],
  ["told apart", (store) => ({ begin: (key, _digest, claim) => store.begin(key, "d", claim) })],
  [
    "do not touch",
    (store) => ({
      begin: (_key, digest, claim) => store.begin("k", digest, claim),
      settle: (_key, fence, outcome) => store.settle("k", fence, outcome),
    }),
  ],
  ["given back is free", (store) => ({ begin: store.begin, settle: store.settle, release: async () => {} })],
  [
    "stays, whatever",
    (store) => {
      const ends = new Map<string, string>();
      return {
        begin: async (key, digest, claim) =>
          ends.has(key) ? { state: "settled", outcome: ends.get(key) } : store.begin(key, digest, claim),
        settle: async (key, _fence, outcome) => void ends.set(key, outcome),
      };
    },
  ],
  [
    "stays running",
    (store) => ({ begin: (key, digest, claim) => store.begin(key, digest, { ...claim, deadlineMs: 1 }) }),
  ],
  ["is moved is late", () => ({ extend: async () => true })],
  [
    "is remembered for its time",
    (store) => ({ extend: async (key, fence) => store.release(key, fence).then(() => true) }),
  ],
  [
    "unknown, and may still end",
    (store) => ({
      begin: (key, digest, claim) => store.begin(key, digest, { ...claim, deadlineMs: undefined }),
    }),
  ],
  ["may still give", (store) => ({ begin: store.begin, release: async () => {} })],
  [
    "not free before",
    (store) => ({
      begin: async (key, digest, claim) => {
        const state = await store.begin(key, digest, claim);
        return state.state === "unknown" ? { state: "new", fence: 7 } : state;
      },
    }),
  ],
  [
    "only after the deadline",
    (store) => ({
      begin: async (key, digest, claim) => {
        const state = await store.begin(key, digest, claim);
        return claim.honoured && state.state === "running" ? { state: "new", fence: 7 } : state;
      },
    }),
  ],
  [
    "taken over can no longer",
    (store) => ({
      begin: async (key, digest, claim) => {
        const state = await store.begin(key, digest, claim);
        return state.state === "new" ? { ...state, fence: 1 } : state;
      },
    }),
  ],
  [
    "never used again",
    (store) => {
      const real = new Map<string, number>();
      return {
        begin: async (key, digest, claim) => {
          const state = await store.begin(key, digest, claim);
          if (state.state !== "new") return state;
          real.set(key, state.fence);
          return { state: "new", fence: 1 };
        },
        settle: (key, _fence, outcome) => store.settle(key, real.get(key) ?? 0, outcome),
        release: (key) => store.release(key, real.get(key) ?? 0),
      };
    },
  ],
  [
    "whatever it contains",
    (store) => ({
      begin: store.begin,
      settle: (key, fence, outcome) => store.settle(key, fence, outcome.replaceAll("\\u0000", "")),
    }),
  ],
  [
    "too long",
    (store) => ({
      begin: store.begin,
      settle: async (key, fence, outcome) => store.settle(key, fence, outcome.slice(0, 1_000)),
    }),
  ],
  [
    "then forgotten",
    () => memoryIdempotency({ keepMs: Number.POSITIVE_INFINITY, testing: { clock: { monotonic: () => time } } }),
  ],
];

describe("the laws of an idempotency store", () => {
  const laws = idempotencyStoreLaws(memory, { wait });
  it.each(laws)("are kept in memory: $name", (law) => law.run());

  it.each(WRONG)("%s: a store that breaks it fails", async (part, change) => {
    const broken = lawsOf(change).filter(({ name }) => name.includes(part));
    expect(broken).toHaveLength(1);
    await expect(broken[0]?.run()).rejects.toThrow();
  });

  it("wait by a timer unless told otherwise", async () => {
    const law = idempotencyStoreLaws(memoryIdempotency).find(({ name }) => name.includes("stays running"));
    await law?.run();
    expect(law).toBeDefined();
  });
});
