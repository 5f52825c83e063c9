import { callOf } from "./subjects.ts";

/** What is measured. */
export const SUBJECTS = ["memory", "bare INSERT", "PostgreSQL", "bare SET", "Redis"] as const;
export type Subject = (typeof SUBJECTS)[number];

/** The addresses of the engines. */
export interface Setup {
  readonly postgres: string;
  readonly redis: string;
}

/** What was measured; times in ms. */
export interface Measured {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

/** Makes calls, a number of them at a time. */
export async function measure(
  subject: Subject,
  setup: Setup,
  options: { readonly calls: number; readonly atATime: number; readonly ready?: () => Promise<unknown> },
): Promise<Measured> {
  const { calls, atATime, ready } = options;
  const { call, close } = await callOf(subject, setup, atATime);
  // Warm: connections are open and statements prepared.
  await Promise.all(Array.from({ length: atATime * 4 }, call));
  await ready?.();
  const times: number[] = [];
  const started = performance.now();
  const run = async () => {
    while (times.length + atATime <= calls) {
      const from = performance.now();
      await call();
      times.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: atATime }, run));
  const seconds = (performance.now() - started) / 1_000;
  await close();
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0;
  return { perSecond: times.length / seconds, p50: at(0.5), p99: at(0.99) };
}

/** Processes together: their calls are added, and the slowest percentiles count. */
export function merged(all: readonly Measured[]): Measured {
  return {
    perSecond: all.reduce((sum, one) => sum + one.perSecond, 0),
    p50: Math.max(...all.map(({ p50 }) => p50)),
    p99: Math.max(...all.map(({ p99 }) => p99)),
  };
}
