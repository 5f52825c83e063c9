import type { IdempotencyClaim, IdempotencyState, IdempotencyStore } from "@recourse/core/server";
import { sleep } from "@recourse/core/wire";

/** The limits of a store that a law needs. */
export interface StoreLimits {
  /** How long a key is remembered, in ms. */
  readonly keepMs: number;
  /** The most characters of one outcome. */
  readonly maxOutcomeLength: number;
}

/** Options of `idempotencyStoreLaws`. */
export interface IdempotencyStoreLawOptions {
  /** Waits, by the clock of the store. @default a timer */
  readonly wait?: (ms: number) => Promise<void>;
  /** How many calls claim a key at once. @default 50 */
  readonly parallel?: number;
}

/** A law that every idempotency store has to keep. */
export interface IdempotencyStoreLaw {
  /** What the law says, for the name of a test. */
  readonly name: string;
  /** Checks it. Rejects with an error that says what the store did instead. */
  run(): Promise<void>;
}

/** Times in ms. Short enough to wait for, and long enough for a store on a busy machine to answer in between. */
const LEASE = 1_000;
const LONG = 60_000;
const STORE_LIMITS: StoreLimits = { keepMs: LONG, maxOutcomeLength: 1_000 };

/**
 * The laws that an idempotency store has to keep, as checks for any test framework. The shipped stores are held to the same
 * ones. Each law makes a store of its own with `create`; all of them may share one table or server, since keys are random.
 *
 * @example
 * import { test } from "node:test";
 * import { idempotencyStoreLaws } from "@recourse/testing";
 * import { myStore } from "./my-store.ts";
 *
 * for (const law of idempotencyStoreLaws((limits) => myStore(limits))) test(law.name, () => law.run());
 */
export function idempotencyStoreLaws(
  create: (limits: StoreLimits) => IdempotencyStore,
  options: IdempotencyStoreLawOptions = {},
): readonly IdempotencyStoreLaw[] {
  const { wait = sleep, parallel = 50 } = options;
  const law = (name: string, check: (keys: Keys) => Promise<void>, limits: Partial<StoreLimits> = {}) => ({
    name,
    run: () => check(new Keys(create({ ...STORE_LIMITS, ...limits }))),
  });
  return [
    law("a key is claimed once, and its outcome is given to all who ask later", async (keys) => {
      const fence = await keys.claim();
      await keys.expect("running");
      await keys.settle(fence, OUTCOME);
      await keys.expect("settled", OUTCOME);
      await keys.expect("settled", OUTCOME);
    }),
    law("of many who claim a key at once, one may run", async (keys) => {
      const states = await Promise.all(Array.from({ length: parallel }, () => keys.begin()));
      const names = states.map(({ state }) => state);
      expectEqual([countState(names, "new"), countState(names, "running")], [1, parallel - 1]);
    }),
    law("of many who take over a key at once, one may run", async (keys) => {
      await keys.claim({ deadlineMs: 0 });
      await wait(LEASE);
      const states = await Promise.all(Array.from({ length: parallel }, () => keys.begin({ honoured: true })));
      const names = states.map(({ state }) => state);
      expectEqual([countState(names, "new"), countState(names, "running")], [1, parallel - 1]);
    }),
    law("other arguments are told apart in every state", async (keys) => {
      const fence = await keys.claim({ deadlineMs: LEASE });
      await keys.expect("other", undefined, { digest: OTHER });
      await wait(LEASE + 1);
      await keys.expect("other", undefined, { digest: OTHER, honoured: true });
      await keys.settle(fence, OUTCOME);
      await keys.expect("other", undefined, { digest: OTHER });
      await keys.expect("settled", OUTCOME);
    }),
    law("keys do not touch each other", async (keys) => {
      const other = new Keys(keys.store);
      const fence = await keys.claim();
      await other.settle(await other.claim(), "null");
      await keys.expect("running");
      await keys.settle(fence, OUTCOME);
      await other.expect("settled", "null");
    }),
    law("a key that is given back is free, also for other arguments", async (keys) => {
      await keys.release(await keys.claim());
      await keys.claim({ digest: OTHER });
    }),
    law("what was settled stays, whatever its call does later", async (keys) => {
      const fence = await keys.claim();
      await keys.settle(fence, OUTCOME);
      await keys.settle(fence, "null");
      await keys.release(fence);
      await keys.expect("settled", OUTCOME);
    }),
    law(
      "a call without a deadline stays running",
      async (keys) => {
        const fence = await keys.claim();
        await wait(2 * LEASE);
        await keys.expect("running");
        await keys.expect("running", undefined, { honoured: true });
        await keys.release(fence);
      },
      { keepMs: LEASE },
    ),
    law("a call that has not ended by its deadline is unknown, and may still end", async (keys) => {
      const fence = await keys.claim({ deadlineMs: LEASE });
      await wait(LEASE + 1);
      await keys.expect("unknown");
      await keys.settle(fence, OUTCOME);
      await keys.expect("settled", OUTCOME);
    }),
    law("a call that has not ended by its deadline may still give its key back", async (keys) => {
      const fence = await keys.claim({ deadlineMs: 0 });
      await wait(LEASE);
      await keys.release(fence);
      await keys.claim();
    }),
    law("an unknown key is not free before it would be forgotten", async (keys) => {
      await keys.claim({ deadlineMs: 0 });
      await wait(LEASE);
      await keys.expect("unknown");
      await wait(LEASE);
      await keys.expect("unknown");
    }),
    law("a key that is honoured is taken over only after the deadline", async (keys) => {
      const first = await keys.claim({ deadlineMs: LONG, honoured: true });
      await keys.expect("running", undefined, { honoured: true });
      await keys.settle(first, OUTCOME);
      await keys.expect("settled", OUTCOME, { honoured: true });
    }),
    law("who was taken over can no longer change the key", async (keys) => {
      const first = await keys.claim({ deadlineMs: 0 });
      await wait(LEASE);
      const second = await keys.claim({ honoured: true, deadlineMs: LONG });
      expectNewFence(first, second);
      await keys.settle(first, "null");
      await keys.release(first);
      await keys.expect("running");
      await keys.settle(second, OUTCOME);
      await keys.expect("settled", OUTCOME);
    }),
    law("a fence is never used again, not even after the key was free", async (keys) => {
      const fences = new Set<number>();
      for (let times = 0; times < 50; times++) {
        const fence = await keys.claim();
        fences.add(fence);
        await keys.release(fence);
      }
      expectEqual(fences.size, 50);
      await keys.claim();
      for (const old of fences) {
        await keys.settle(old, OUTCOME);
        await keys.release(old);
      }
      await keys.expect("running");
    }),
    law("a claim whose deadline is moved is late after the new one only", async (keys) => {
      const first = await keys.claim({ deadlineMs: LEASE, honoured: true });
      if (!keys.canExtend) return;
      expectEqual(await keys.extend(first, 3 * LEASE), true);
      await wait(2 * LEASE);
      await keys.expect("running", undefined, { honoured: true });
      await keys.expect("running");
      expectEqual(await keys.extend(first, 0), true);
      await wait(LEASE);
      await keys.expect("unknown");
      const second = await keys.claim({ honoured: true, deadlineMs: LONG });
      expectNewFence(first, second);
      expectEqual(await keys.extend(first, 0), false);
      await keys.expect("running", undefined, { honoured: true });
      await keys.settle(second, OUTCOME);
      expectEqual(await keys.extend(second, LONG), false);
      await keys.expect("settled", OUTCOME);
    }),
    law(
      "a late claim whose deadline was moved is remembered for its time",
      async (keys) => {
        const fence = await keys.claim({ deadlineMs: LEASE });
        if (!keys.canExtend) return;
        expectEqual(await keys.extend(fence, 4 * LEASE), true);
        await wait(6 * LEASE);
        await keys.expect("unknown");
        await keys.release(fence);
        expectEqual(await keys.extend(fence, LONG), false);
        await keys.claim({ digest: OTHER });
      },
      { keepMs: 4 * LEASE },
    ),
    law("an outcome is kept as it is, whatever it contains", async (keys) => {
      await keys.settle(await keys.claim(), ODD);
      await keys.expect("settled", ODD);
    }),
    law("an outcome that is too long is not kept, but its call counts as done", async (keys) => {
      const { maxOutcomeLength } = STORE_LIMITS;
      const other = new Keys(keys.store);
      await keys.settle(await keys.claim(), "x".repeat(maxOutcomeLength));
      await other.settle(await other.claim(), "x".repeat(maxOutcomeLength + 1));
      await keys.expect("settled", "x".repeat(maxOutcomeLength));
      await other.expect("settled", undefined);
    }),
    law(
      "an outcome is kept for its time, and then forgotten",
      async (keys) => {
        const fence = await keys.claim({ deadlineMs: LEASE });
        await keys.settle(fence, OUTCOME);
        await keys.expect("settled", OUTCOME);
        await wait(5 * LEASE + 1);
        const next = await keys.claim({ digest: OTHER });
        expectNewFence(fence, next);
        await keys.settle(fence, OUTCOME);
        await keys.expect("running", undefined, { digest: OTHER });
      },
      { keepMs: 4 * LEASE },
    ),
  ];
}

const OWNER = "0f".repeat(32);
const DIGEST = "1e".repeat(32);
const OTHER = "2d".repeat(32);
const OUTCOME = '{"result":{"content":[]}}';
/** Quotes, colons, line ends, escapes, and characters outside of the first plane. */
const ODD = JSON.stringify({ "s:'\"\\": ["\u0000\n\r\u2028", "\ud800", "😀 é 中", "$1 %s {}", ":::"] });

interface ClaimOptions extends Partial<IdempotencyClaim> {
  readonly digest?: string;
}

class Keys {
  readonly store: IdempotencyStore;
  readonly #key = randomHex();

  constructor(store: IdempotencyStore) {
    this.store = store;
  }

  begin({ digest = DIGEST, ...claim }: ClaimOptions = {}): Promise<IdempotencyState> {
    return this.store.begin(this.#key, digest, { owner: OWNER, deadlineMs: undefined, honoured: false, ...claim });
  }

  async claim(asked: ClaimOptions = {}): Promise<number> {
    const found = await this.begin(asked);
    if (found.state !== "new") throw new Error(`the key is ${found.state}, not new`);
    return found.fence;
  }

  async expect(state: IdempotencyState["state"], outcome?: string, asked: ClaimOptions = {}): Promise<void> {
    const found = await this.begin(asked);
    expectEqual([found.state, "outcome" in found ? found.outcome : undefined], [state, outcome]);
  }

  settle(fence: number, outcome: string): Promise<void> {
    return this.store.settle(this.#key, fence, outcome);
  }

  release(fence: number): Promise<void> {
    return this.store.release(this.#key, fence);
  }

  /** A store need not be able to. */
  get canExtend(): boolean {
    return this.store.extend !== undefined;
  }

  async extend(fence: number, deadlineMs: number): Promise<boolean | undefined> {
    return this.store.extend?.(this.#key, fence, deadlineMs);
  }
}

function randomHex(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function countState(names: readonly string[], name: string): number {
  return names.filter((one) => one === name).length;
}

function expectEqual(found: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${one} is not ${other}`);
}

function expectNewFence(one: number, other: number): void {
  if (one === other) throw new Error(`the fence ${one} was used twice`);
}
