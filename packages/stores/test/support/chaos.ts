// Processes race for keys while processes are killed and paused, and the engine is restarted.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { seededRandom } from "@recourse/test-kit/seeded-random";
import type { EngineName, KillableEngine } from "./engines.ts";
import { type Answer, startWorker, type Worker, type WorkerSetup } from "./worker-process.ts";

/** The time limit of the calls, and when they count as unknown. */
const LIMITS = { deadlineMs: 1_000, leaseMs: 2_000 } as const;

/** A slow machine goes on until so many keys are done. */
const MIN_DONE = 10;

/** What is done to the processes. */
export const DISTURBANCES = ["kill", "pause", "restart"] as const;
type Disturbance = (typeof DISTURBANCES)[number];

/** Options of `runChaos`. */
export interface ChaosOptions {
  readonly engine: EngineName | "memory";
  /** The server of the engine; none for the control. */
  readonly server?: KillableEngine;
  readonly seconds: number;
  readonly seed: number;
  /** What is done, in turn and evenly over the time. */
  readonly disturbances: readonly Disturbance[];
  /** How many processes share the keys. @default 4 */
  readonly processes?: number;
  /** How many keys are raced for at a time. */
  readonly concurrency?: number;
}

/** What happened. */
export interface ChaosReport {
  readonly keys: number;
  readonly calls: number;
  readonly kills: number;
  readonly pauses: number;
  readonly restarts: number;
  /** Calls that were running in the processes that were killed or paused. */
  readonly callsHit: number;
  /** Keys with more than one effect. */
  readonly duplicates: number;
  /** Keys whose callers were told of different outcomes, or of a success without an effect. */
  readonly contradictions: number;
  /** Keys by how they ended. */
  readonly ends: Readonly<Record<string, number>>;
  /** Requests to the service that honours keys, beyond one for each key: calls that were taken over. */
  readonly takeovers: number;
}

/** Races and disturbs, then looks at every key once more. */
export async function runChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { engine, server, seconds, seed, processes = 4, concurrency = 12 } = options;
  const random = seededRandom(seed);
  const folder = mkdtempSync(join(tmpdir(), "stores-chaos-"));
  for (const file of ["paid", "forwarded"]) writeFileSync(join(folder, file), "");
  const setup: WorkerSetup = { engine, url: server?.url ?? "", folder, ...LIMITS };
  const workers = await Promise.all(Array.from({ length: processes }, () => startWorker(setup)));
  const told = new Map<string, Answer[]>();
  const totals = { calls: 0, callsHit: 0, kill: 0, pause: 0, restart: 0 };
  const end = performance.now() + seconds * 1_000;
  const call = async (item: string) => {
    totals.calls += 1;
    const worker = workers[Math.floor(random() * processes)] as Worker;
    const answer = await worker.call(item);
    told.get(item)?.push(answer);
    return answer;
  };

  let done = 0;
  const race = async (name: number) => {
    for (let turn = 0; performance.now() < end || done < MIN_DONE; turn++) {
      const item = `${random() < 0.2 ? "forward" : "pay"} ${name}-${turn}`;
      told.set(item, []);
      for (let again = 0; again < 4; again++) {
        const answers = await Promise.all(Array.from({ length: 2 + Math.floor(random() * 2) }, () => call(item)));
        const isDone = answers.some(({ kind }) => kind === "done");
        if (isDone) done += 1;
        if (isDone) break;
        // Callers do not come back all at once.
        await sleep(random() * 100);
      }
    }
  };

  const paused = new Set<Worker>();
  /** The process that runs the most calls: one that only waits, or is paused already, shows nothing. */
  const busiest = async (): Promise<number> => {
    const running = () => workers.map((worker) => (paused.has(worker) ? -1 : worker.running()));
    // How often it is looked; none is busy where all wait for the engine.
    for (let looks = 0; looks < 200 && Math.max(...running()) < 1; looks++) await sleep(10);
    const most = running().indexOf(Math.max(...running()));
    totals.callsHit += workers[most]?.running() ?? 0;
    return most;
  };
  const disturb = {
    kill: async () => {
      const index = await busiest();
      await workers[index]?.kill();
      workers[index] = await startWorker(setup);
    },
    pause: async () => {
      const worker = workers[await busiest()] as Worker;
      worker.pause();
      paused.add(worker);
      // Others have to find its calls unknown.
      await sleep(LIMITS.leaseMs + 700);
      worker.resume();
      paused.delete(worker);
    },
    restart: async () => {
      await server?.kill();
      // Calls meet an engine that is away.
      await sleep(random() * 300);
      await server?.start();
    },
  } as const satisfies Record<Disturbance, () => Promise<void>>;

  /** What is going on, so that the end can wait for it. */
  const underWay: Promise<void>[] = [];
  const disturbAll = async () => {
    for (const what of options.disturbances) {
      // Evenly over the time.
      await sleep((seconds * 1_000) / (options.disturbances.length + 1));
      totals[what] += 1;
      const work = disturb[what]();
      // An engine is restarted alone, and a pause lasts while other things happen.
      if (what === "pause") underWay.push(work);
      else await work;
    }
  };
  try {
    await Promise.all([disturbAll(), ...Array.from({ length: concurrency }, (_, name) => race(name))]);
    await Promise.all(underWay);
    await askAll([...told.keys()], call);
    return reportOf(told, folder, totals);
  } finally {
    await Promise.all(workers.map((worker) => worker.kill()));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Asks for every key until each has an answer that stays. */
async function askAll(items: readonly string[], call: (item: string) => Promise<Answer>): Promise<void> {
  let left = items;
  for (const until = performance.now() + 120_000; left.length > 0 && performance.now() < until; ) {
    const open: string[] = [];
    for (let at = 0; at < left.length; at += 16) {
      const asked = left.slice(at, at + 16);
      const answers = await Promise.all(asked.map(call));
      open.push(
        ...asked.filter((_, index) => !["done", "idempotency/outcome_unknown"].includes(answers[index]?.kind ?? "")),
      );
    }
    left = open;
    // Their claims become late with time only.
    if (left.length > 0) await sleep(200);
  }
}

interface Totals {
  readonly calls: number;
  readonly callsHit: number;
  readonly kill: number;
  readonly pause: number;
  readonly restart: number;
}

function reportOf(told: ReadonlyMap<string, readonly Answer[]>, folder: string, totals: Totals): ChaosReport {
  const paid = countLines(join(folder, "paid"));
  const forwarded = countLines(join(folder, "forwarded"));
  const ends: Record<string, number> = {};
  let contradictions = 0;
  for (const [item, answers] of told) {
    const last = answers.at(-1)?.kind ?? "never asked";
    ends[last] = (ends[last] ?? 0) + 1;
    const successes = new Set(answers.filter(({ kind }) => kind === "done").map(({ text }) => text));
    const effects = (item.startsWith("pay") ? paid : forwarded).get(item) ?? 0;
    if (successes.size > 1 || (successes.size > 0 && effects === 0)) contradictions += 1;
  }
  return {
    keys: told.size,
    calls: totals.calls,
    kills: totals.kill,
    pauses: totals.pause,
    restarts: totals.restart,
    callsHit: totals.callsHit,
    duplicates: [...paid.values()].filter((effects) => effects > 1).length,
    contradictions,
    ends,
    takeovers: [...forwarded.values()].reduce((sum, times) => sum + times - 1, 0),
  };
}

function countLines(file: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const line of readFileSync(file, "utf8").trim().split("\n")) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
