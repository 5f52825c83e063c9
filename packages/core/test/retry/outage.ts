// Simulates many clients and an upstream that fails for a while: how much traffic do retries add, and when is it normal again?

import { seededRandom } from "@recourse/test-kit/seeded-random";
import { VirtualClock } from "@recourse/test-kit/virtual-clock";
import type { Fault } from "../../src/fault/fault.ts";
import { overloaded, timeout } from "../../src/reasons/library/core.ts";
import { http_failed, unreachable } from "../../src/reasons/library/transport.ts";
import {
  type Attempt,
  type AttemptFailure,
  createRetryEngine,
  type RetryEngineOptions,
} from "../../src/retry/index.ts";

const CLIENTS = 200;
const SECOND = 1_000;
const DOWN_FROM = 30 * SECOND;
const DOWN_UNTIL = 60 * SECOND;
const END = 120 * SECOND;
const DEADLINE_MS = 10 * SECOND;

/** How an upstream answers: after how long, and with which fault. Undefined is a success. */
interface UpstreamBehaviour {
  readonly takesMs: number;
  readonly fault: (random: number) => Fault | undefined;
}

const HEALTHY: UpstreamBehaviour = { takesMs: 20, fault: () => undefined };

/** The ways in which an upstream fails. */
export const OUTAGES = {
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
} as const satisfies Record<string, UpstreamBehaviour>;

/** The name of a way to fail. */
export type OutageName = keyof typeof OUTAGES;

/** Makes one call as a client of some type does. */
type Caller = (attempt: Attempt<{ ok: true }>) => Promise<{ ok: true } | AttemptFailure>;

function engineCaller(options: RetryEngineOptions): Caller {
  const engine = createRetryEngine(options);
  // The worst case: every call may be repeated.
  return (attempt) => engine.run({ tool: "work", repeatable: true, deadlineMs: DEADLINE_MS }, attempt);
}

/** The types of clients that are compared. */
export const CLIENT_TYPES = {
  engine: (clock: VirtualClock, random: () => number): Caller => engineCaller({ testing: { clock, random } }),
  "engine, budget alone": (clock: VirtualClock, random: () => number): Caller =>
    engineCaller({ testing: { clock, random }, breaker: false }),
  "three retries at once": (): Caller => async (attempt) => {
    for (let made = 1; ; made++) {
      const outcome = await attempt({ attempt: made, leftMs: DEADLINE_MS, signal: undefined });
      if (outcome.ok === true || made === 4) return outcome;
    }
  },
} as const;

/** The name of a type of client. */
export type ClientType = keyof typeof CLIENT_TYPES;

/** An outage as the upstream saw it. */
export interface OutageReport {
  /** Attempts in a second of normal traffic. */
  readonly steady: number;
  /** Attempts during the outage, as a multiple of normal traffic. */
  readonly during: number;
  /** Most attempts in any one second after the outage. */
  readonly peak: number;
  /** Time after the outage until the last call failed. */
  readonly normalAfterMs: number;
  /** Calls that failed although the upstream worked again when they began. */
  readonly lostAfter: number;
}

/** Simulates two minutes with an outage of thirty seconds. */
export async function simulateOutage(name: OutageName, type: ClientType): Promise<OutageReport> {
  const clock = new VirtualClock();
  const random = seededRandom(7);
  const arrivals: number[] = [];
  let lastFailureMs = DOWN_UNTIL;
  let lostAfter = 0;
  const calls: Promise<void>[] = [];
  const attempt: Attempt<{ ok: true }> = async () => {
    arrivals.push(clock.now());
    const isDown = clock.now() >= DOWN_FROM && clock.now() < DOWN_UNTIL;
    const behaviour: UpstreamBehaviour = isDown ? OUTAGES[name] : HEALTHY;
    await clock.sleep(behaviour.takesMs);
    const fault = behaviour.fault(random());
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

/** The highest number of events in any window of one second. */
function peakOf(times: readonly number[]): number {
  let peak = 0;
  let from = 0;
  for (const [index, at] of times.entries()) {
    while ((times[from] ?? at) <= at - SECOND) from++;
    peak = Math.max(peak, index - from + 1);
  }
  return peak;
}
