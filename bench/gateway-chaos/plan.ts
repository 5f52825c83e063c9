// Everything that the seed decides: what is done to which process and when, and what is called. Times on a real machine differ
// from run to run; this plan does not.
import { seededRandom } from "@recourse/test-kit/seeded-random";

/** How many replicas of the gateway run. The first is never killed, so that its memory can be compared over the whole run. */
export const REPLICAS = 3;
/** How many processes make calls, and how many calls each has under way. */
export const DRIVERS = 2;
export const AGENTS = 10;

/** The upstreams: the first keeps the promise of forwarded keys, the second ignores them. */
export const UPSTREAMS = ["honours", "plain"] as const;
export type UpstreamName = (typeof UPSTREAMS)[number];

/** A process that is disturbed. */
export type Target = `replica-${number}` | UpstreamName | "redis" | "postgres";

/** One disturbance: a kill with a restart after `forMs`, or a pause of `forMs`. */
export interface Disturbance {
  readonly atMs: number;
  readonly what: "kill" | "pause";
  readonly target: Target;
  readonly forMs: number;
}

/** What an upstream does with the first request of an effect. */
export type Fate =
  | "ok"
  | "slow"
  | "lost after"
  | "lost before"
  | "500 after"
  | "503 before"
  | "429 before"
  | "failed before"
  | "hangs after";

/** One call whose effect is wanted once. */
export interface Intention {
  /** Names its effect. */
  readonly id: string;
  readonly upstream: UpstreamName;
  readonly isKeyed: boolean;
  readonly fate: Fate;
  /** How long its maker waits before it. */
  readonly pauseMs: number;
}

const SHARES = [
  ["ok", 0.68],
  ["slow", 0.08],
  ["lost after", 0.05],
  ["lost before", 0.03],
  ["500 after", 0.03],
  ["503 before", 0.03],
  ["429 before", 0.05],
  ["failed before", 0.03],
  ["hangs after", 0.02],
] as const satisfies readonly (readonly [Fate, number])[];

/** About one disturbance in so many ms. */
const PACE_MS = 2_000;
/** The time that a target is left alone after it came back. */
const REST_MS = 2_500;
/** A pause that outlives the claims of the calls that it hits: 3 s for an attempt, and 5 s that are added. */
const LONG_PAUSE_MS = 9_500;
/** How often which target is chosen. */
const WEIGHTS = [
  ["replica-0", 1],
  ["replica-1", 4],
  ["replica-2", 4],
  ["honours", 3],
  ["plain", 3],
  ["redis", 2],
  ["postgres", 2],
] as const satisfies readonly (readonly [Target, number])[];

/** The disturbances of a run, in their order. No target is disturbed while it still suffers. */
export function disturbances(seed: number, seconds: number): readonly Disturbance[] {
  const random = seededRandom(seed);
  const free = new Map<Target, number>();
  const planned: Disturbance[] = [];
  // The last seconds are quiet enough for every pause to end within the run.
  for (let atMs = 1_500; atMs < seconds * 1_000 - 3_000; atMs += PACE_MS * (0.4 + 1.2 * random())) {
    const target = weighted(random, WEIGHTS);
    const what = target === "replica-0" || random() < 0.4 ? "pause" : "kill";
    const isLong = target.startsWith("replica") && random() < 0.3;
    const wished = what === "kill" ? 100 + 1_200 * random() : isLong ? LONG_PAUSE_MS : 300 + 4_000 * random();
    const forMs = Math.round(Math.min(wished, seconds * 1_000 - atMs));
    if (atMs < (free.get(target) ?? 0)) continue;
    free.set(target, atMs + forMs + REST_MS);
    planned.push({ atMs: Math.round(atMs), what, target, forMs });
  }
  return planned;
}

/** The calls of one agent, one after the other, without end. */
export function* intentions(seed: number, agent: number): Generator<Intention, never> {
  const random = seededRandom(seed * 7_919 + agent);
  for (let turn = 0; ; turn++) {
    const upstream = random() < 0.5 ? "honours" : "plain";
    const isKeyed = random() < 0.6;
    const fate = weighted(random, SHARES);
    yield { id: `effect-${agent}-${turn}`, upstream, isKeyed, fate, pauseMs: Math.round(250 * random()) };
  }
}

function weighted<T>(random: () => number, choices: readonly (readonly [T, number])[]): T {
  let left = random() * choices.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [choice, weight] of choices) {
    left -= weight;
    if (left < 0) return choice;
  }
  return (choices[0] as readonly [T, number])[0];
}
