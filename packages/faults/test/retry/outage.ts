// Many clients, one upstream that fails for a while: how much do repetitions add, and how soon is all well again?
import type { Fault } from "../../src/fault/fault.ts";
import { overloaded, timeout } from "../../src/reasons/library/core.ts";
import { http_failed, unreachable } from "../../src/reasons/library/transport.ts";
import { type Attempt, createEngine, type EngineOptions, type Failed } from "../../src/retry/index.ts";
import { VirtualClock } from "./clock.ts";

const CLIENTS = 200;
const SECOND = 1_000;
const DOWN_FROM = 30 * SECOND;
const DOWN_UNTIL = 60 * SECOND;
const END = 120 * SECOND;
const DEADLINE_MS = 10 * SECOND;

/** How an upstream fails: after how long, and what the client then makes of it; nothing is a success. */
interface Trouble {
  readonly takesMs: number;
  readonly fault: (random: number) => Fault | undefined;
}

const HEALTHY: Trouble = { takesMs: 20, fault: () => undefined };

/** The ways to be down. */
export const TROUBLES = {
  "refuses at once": { takesMs: 1, fault: () => unreachable.fault() },
  "hangs until the timeout": { takesMs: SECOND, fault: () => timeout.fault() },
  "sheds with Retry-After: 2": {
    takesMs: 5,
    fault: () => overloaded.fault({}, { retry: { allowed: true, afterMs: 2 * SECOND } }),
  },
  "fails every second call": {
    takesMs: 20,
    fault: (random) => (random < 0.5 ? http_failed.fault({ status: 502 }) : undefined),
  },
} as const satisfies Record<string, Trouble>;

/** The name of one way to be down. */
export type TroubleName = keyof typeof TROUBLES;

/** Makes one call in the manner of some client. */
type Caller = (attempt: Attempt<{ ok: true }>) => Promise<{ ok: true } | Failed>;

function engineCaller(options: EngineOptions): Caller {
  const engine = createEngine(options);
  // The worst case: every call may be repeated.
  return (attempt) => engine.run({ tool: "work", repeatable: true, deadlineMs: DEADLINE_MS }, attempt);
}

/** The manners that are compared. */
export const CLIENT_TYPES = {
  engine: (clock: VirtualClock, random: () => number): Caller =>
    engineCaller({ now: clock.now, sleep: clock.sleep, random }),
  "engine, budget alone": (clock: VirtualClock, random: () => number): Caller =>
    engineCaller({ now: clock.now, sleep: clock.sleep, random, breaker: false }),
  "three retries at once": (): Caller => async (attempt) => {
    for (let made = 1; ; made++) {
      const outcome = await attempt({ attempt: made, leftMs: DEADLINE_MS, signal: undefined });
      if (outcome.ok === true || made === 4) return outcome;
    }
  },
} as const;

/** The name of one manner. */
export type ClientType = keyof typeof CLIENT_TYPES;

/** What an outage looked like from the upstream. */
export interface Report {
  /** Attempts in a second of normal traffic. */
  readonly steady: number;
  /** Attempts during the outage, as a multiple of normal traffic. */
  readonly during: number;
  /** Most attempts in any one second after the outage. */
  readonly peak: number;
  /** Time after the outage until the last call failed. */
  readonly normalAfterMs: number;
  /** Calls that failed or were refused although the upstream had been well again when they began. */
  readonly lostAfter: number;
}

/** Plays two minutes with an outage of thirty seconds. */
export async function playOutage(name: TroubleName, type: ClientType): Promise<Report> {
  const clock = new VirtualClock();
  const random = seeded(7);
  const arrivals: number[] = [];
  let lastFailureMs = DOWN_UNTIL;
  let lostAfter = 0;
  const calls: Promise<void>[] = [];
  const attempt: Attempt<{ ok: true }> = async () => {
    arrivals.push(clock.now());
    const isDown = clock.now() >= DOWN_FROM && clock.now() < DOWN_UNTIL;
    const trouble: Trouble = isDown ? TROUBLES[name] : HEALTHY;
    await clock.sleep(trouble.takesMs);
    const fault = trouble.fault(random());
    return fault === undefined ? { ok: true } : { ok: false, fault };
  };
  const call = async (caller: Caller) => {
    const beganMs = clock.now();
    const outcome = await caller(attempt);
    if (outcome.ok === true) return;
    lastFailureMs = Math.max(lastFailureMs, clock.now());
    if (beganMs >= DOWN_UNTIL) lostAfter += 1;
  };
  for (let client = 0; client < CLIENTS; client++) {
    const caller = CLIENT_TYPES[type](clock, random);
    const tick = (at: number) => {
      calls.push(call(caller));
      if (at + SECOND < END) clock.at(at + SECOND, () => tick(at + SECOND));
    };
    const phase = (client * SECOND) / CLIENTS;
    clock.at(phase, () => tick(phase));
  }
  await clock.run();
  await Promise.all(calls);
  const during = arrivals.filter((at) => at >= DOWN_FROM && at < DOWN_UNTIL).length;
  const normal = (CLIENTS * (DOWN_UNTIL - DOWN_FROM)) / SECOND;
  return {
    steady: arrivals.filter((at) => at >= 10 * SECOND && at < 20 * SECOND).length / 10,
    during: during / normal,
    peak: peakOf(arrivals.filter((at) => at >= DOWN_UNTIL)),
    normalAfterMs: lastFailureMs - DOWN_UNTIL,
    lostAfter,
  };
}

/** Most events in any window of one second. */
function peakOf(times: readonly number[]): number {
  let peak = 0;
  let from = 0;
  for (const [index, at] of times.entries()) {
    while ((times[from] ?? at) <= at - SECOND) from++;
    peak = Math.max(peak, index - from + 1);
  }
  return peak;
}

/** Random numbers that are the same in every run (the generator mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
