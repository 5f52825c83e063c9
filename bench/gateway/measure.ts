import type { ChildProcess } from "node:child_process";
import { answerOf } from "./child.ts";
import type { LoadOrder, LoadResult } from "./load.ts";
import type { Started } from "./variants.ts";

/** One round of a variant. */
export interface Round {
  readonly cpuUs: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface RoundOptions {
  readonly connections: number;
  readonly seconds: number;
  readonly rate?: number;
}

/** Loads the processes of one variant, and gives their CPU per call. It throws where an answer was wrong. */
export async function round(load: ChildProcess, of: readonly Started[], options: RoundOptions): Promise<Round> {
  const [first] = of;
  if (first === undefined) throw new Error("there is nothing to measure");
  const order: LoadOrder = { ...first.order, ...options, ports: of.map(({ child }) => child.port) };
  const before = await cpuOf(of);
  const answer = answerOf<LoadResult | { error: string }>(load, "the load", options.seconds * 1_000 + 60_000);
  load.send(order);
  const result = await answer;
  if ("error" in result) throw new Error(result.error);
  const cpuUs = (await cpuOf(of)) - before;
  if (result.wrong > 0)
    throw new Error(`${result.wrong} of ${result.calls} answers were wrong, such as ${result.sample}`);
  const { calls, seconds, p50Ms, p99Ms } = result;
  return { cpuUs: cpuUs / calls, perSecond: calls / seconds, p50Ms, p99Ms };
}

async function cpuOf(of: readonly Started[]): Promise<number> {
  const all = await Promise.all(of.map(({ child }) => child.cpuUs()));
  return all.reduce((sum, one) => sum + one, 0);
}
