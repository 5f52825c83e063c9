import { core } from "@recourse/core/reasons";
import type {
  ExtendableIdempotencyStore,
  FoundIdempotencyState,
  IdempotencyClaim,
  IdempotencyState,
} from "@recourse/core/server";
import { checkNumbers, MAX_TIMER_MS, type NumberRange, sleep } from "@recourse/core/wire";
import { Background } from "./background.ts";
import { type CountKeys, callerShare } from "./caller-share.ts";
import { LostClaims } from "./lost-claims.ts";

/** Options of every shared store. */
export interface SharedStoreOptions {
  /**
   * How long a key is remembered after its call has ended, or after the deadline of a call that did not end; longer than any
   * caller repeats a call. @default 3_600_000 (1 hour)
   */
  readonly keepMs?: number;
  /** The most characters of one outcome; a longer one is not kept, and a repeated call learns that it took effect. @default 64 Ki */
  readonly maxOutcomeLength?: number;
  /**
   * The most new keys that one caller may use in any `keyWindowMs`; then its new keys are refused. PostgreSQL counts for all
   * processes, to within a hundredth for each; with Redis each process counts for itself. `Infinity` suits a server with one
   * caller. @default 10_000
   */
  readonly maxKeysPerCaller?: number;
  /** The time in which `maxKeysPerCaller` counts, in ms. @default `keepMs` */
  readonly keyWindowMs?: number;
  /** How long a call waits for the engine, in ms; then a call that has not begun is refused. @default 2_000 */
  readonly timeoutMs?: number;
  /** How long an outcome that could not be stored is tried again, in ms. @default 60_000 */
  readonly repeatMs?: number;
}

/** Options of `close`. */
export interface CloseOptions {
  /** Ends the waiting; outcomes that are not stored by then stay unknown. @default none */
  readonly signal?: AbortSignal;
}

/** Idempotency keys that several processes share. */
export interface SharedIdempotencyStore extends ExtendableIdempotencyStore {
  /** Waits until all outcomes are stored. Call it when the server has stopped, before you close the connections. */
  close(options?: CloseOptions): Promise<void>;
}

interface EngineClaim extends IdempotencyClaim {
  readonly key: string;
  readonly digest: string;
  readonly fence: number;
  /** Whether a key that is not known may be claimed. */
  readonly mayClaim: boolean;
}

type EngineState =
  | IdempotencyState
  | { readonly state: "absent" }
  | { readonly state: "held"; readonly waitMs: number };

/** What an engine does, each in one atomic step. */
export interface Engine {
  /** Looks a key up, and claims it if it is free. `held`: no key is claimed for some time, since the store was restored. */
  begin(claim: EngineClaim): Promise<EngineState>;
  /** Looks a key up, and changes nothing. */
  find(key: string, digest: string): Promise<FoundIdempotencyState>;
  /** Stores an outcome; undefined if it is too long. Safe to repeat. */
  settle(key: string, fence: number, outcome: string | undefined): Promise<void>;
  /** Frees a key, and says whether it was claimed. Safe to repeat. */
  release(key: string, fence: number): Promise<boolean>;
  /** Moves the deadline of a claim; undefined means none. Says whether the claim still stands. */
  extend(key: string, fence: number, deadlineMs: number | undefined): Promise<boolean>;
  /** Counts the new keys of callers for all processes. @default each process counts for itself */
  readonly count?: CountKeys | undefined;
}

/** How long keys are kept unless the author says otherwise. */
export const DEFAULT_KEEP_MS = 3_600_000;
/** How long a call waits for the engine unless the author says otherwise. */
export const DEFAULT_TIMEOUT_MS = 2_000;
const DEFAULT_REPEAT_MS = 60_000;

/** Makes a store of an engine: with limits, time limits, and outcomes that are tried again. */
export function sharedStore(
  engine: Engine,
  options: SharedStoreOptions,
  background: Background,
): SharedIdempotencyStore {
  const { keepMs = DEFAULT_KEEP_MS, maxOutcomeLength = 64 * 1_024, maxKeysPerCaller = 10_000 } = options;
  const { repeatMs = DEFAULT_REPEAT_MS } = options;
  const { keyWindowMs: windowMs = keepMs } = options;
  const share = callerShare({ max: maxKeysPerCaller, windowMs, count: engine.count, now });
  // Who claimed what in this process, so that a key that is freed counts no more.
  const owners = new Map<number, string>();
  const { release } = engine;
  const lost = new LostClaims({ release, background, repeatMs, sleep, idle, now });
  /** Nothing runs, but the claim may have been made although its answer was lost, or may still be made. */
  const giveBack = (key: string, fence: number, begun: ReturnType<Engine["begin"]>) => {
    lost.add(key, fence);
    begun.then(
      ({ state }) => (state === "new" ? lost.add(key, fence) : lost.forget(fence)),
      () => lost.add(key, fence),
    );
  };

  return {
    async begin(key, digest, claim) {
      const { owner, honoured } = claim;
      const deadlineMs = storableDeadline(claim);
      const fence = randomFence();
      const taken = share.take(owner);
      const waitMs = typeof taken === "number" ? taken : await background.inTime(taken);
      const mayClaim = waitMs === 0;
      const begun = engine.begin({ owner, honoured, deadlineMs, key, digest, fence, mayClaim });
      let isNew = false;
      try {
        const state = await background.inTime(begun);
        if (state.state === "absent") throw tooManyKeys({ max: maxKeysPerCaller, windowMs, waitMs });
        if (state.state === "held") throw keysHeld(state.waitMs);
        isNew = state.state === "new";
        if (isNew) owners.set(fence, owner);
        return state;
      } catch (cause) {
        if (mayClaim || honoured) giveBack(key, fence, begun);
        throw cause;
      } finally {
        if (mayClaim && !isNew) share.giveBack(owner);
      }
    },
    find: (key, digest) => background.inTime(engine.find(key, digest)),
    async settle(key, fence, outcome) {
      owners.delete(fence);
      const kept = outcome.length <= maxOutcomeLength ? outcome : undefined;
      await background.change(() => engine.settle(key, fence, kept));
    },
    async release(key, fence) {
      const owner = owners.get(fence);
      owners.delete(fence);
      if (owner !== undefined) share.giveBack(owner);
      await background.change(() => engine.release(key, fence));
    },
    // Not tried again: a change that comes late would undo a later one.
    extend: (key, fence, deadlineMs) => background.inTime(engine.extend(key, fence, storableDeadline({ deadlineMs }))),
    close: ({ signal } = {}) => background.close(signal),
  };
}

function tooManyKeys(of: { readonly max: number; readonly windowMs: number; readonly waitMs: number }) {
  const { max: quota, windowMs, waitMs } = of;
  return core.rate_limited(
    { limit: quota, windowMs },
    {
      retry: { allowed: true, afterMs: waitMs },
      limits: [{ policy: "keys", unit: "new keys", quota, remaining: 0, windowMs, resetMs: waitMs, scope: "key" }],
    },
  );
}

/** The refusal of a key that may have been used after the backup that the store was restored from. */
function keysHeld(waitMs: number) {
  return core.unavailable({}, { effect: "none", retry: { allowed: true, afterMs: waitMs } });
}

export function createBackground(options: SharedStoreOptions): Background {
  checkNumbers("", options, SHARED_STORE_RANGES);
  const { timeoutMs = DEFAULT_TIMEOUT_MS, repeatMs = DEFAULT_REPEAT_MS } = options;
  return new Background({ timeoutMs, repeatMs, sleep, setTimer, now, random: Math.random });
}

/** A clock that never goes back. It never decides about a claim. */
export function now(): number {
  return performance.now();
}

function setTimer(ms: number, onTime: () => void): () => void {
  const timer = setTimeout(onTime, ms);
  return () => clearTimeout(timer);
}

/** A pause that does not keep a process alive which has nothing else to do. */
export function idle(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    (timer as { unref?(): void }).unref?.();
    signal?.addEventListener("abort", end);
  });
}

/** Random numbers for claims to come: to ask for many at once costs little more than to ask for one. */
const randomNumbers = new Uint32Array(256);
let usedNumbers = randomNumbers.length;

/**
 * Names a claim: a random number of 53 bits, so that it is never used twice, not even after a key was freed or forgotten. The
 * process that claims knows it before the engine answers, and can give back a claim whose answer was lost.
 */
function randomFence(): number {
  if (usedNumbers === randomNumbers.length) {
    crypto.getRandomValues(randomNumbers);
    usedNumbers = 0;
  }
  const high = randomNumbers[usedNumbers++] as number;
  const low = randomNumbers[usedNumbers++] as number;
  return (high & 0x1f_ffff) * 2 ** 32 + low;
}

/** A hundred years: no engine can add up much longer times. */
const MAX_STORED_MS = 100 * 365 * 24 * 60 * 60_000;

/** What no engine could keep is refused before a call runs. */
const SHARED_STORE_RANGES = {
  keepMs: { min: 1, max: MAX_STORED_MS },
  maxOutcomeLength: { min: 0 },
  maxKeysPerCaller: { min: 1 },
  keyWindowMs: { min: 1, max: MAX_STORED_MS },
  timeoutMs: { min: 1, max: MAX_TIMER_MS },
  repeatMs: { min: 0 },
} as const satisfies Record<keyof SharedStoreOptions, NumberRange>;

/** How long a call may run, as an engine can store it. */
export function storableDeadline({ deadlineMs }: Partial<IdempotencyClaim>): number | undefined {
  if (deadlineMs === undefined) return undefined;
  if (Number.isNaN(deadlineMs)) throw new RangeError("the deadline of a call is not a number");
  return deadlineMs > MAX_STORED_MS ? undefined : Math.max(0, deadlineMs);
}
