import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@recourse/test-kit/network";
import { API_KEY, replicaConfig } from "./config.ts";
import { storedIncidents } from "./incidents.ts";
import {
  type Disturbance,
  DRIVERS,
  disturbances,
  REPLICAS,
  type Target,
  UPSTREAMS,
  type UpstreamName,
} from "./plan.ts";
import { PLANTED } from "./planted.ts";
import type {
  CallRecord,
  DriverEnd,
  DriverLine,
  DriverSetup,
  Effect,
  GivenIncident,
  Happened,
  Sample,
} from "./records.ts";
import { type Disturbed, OwnProcess, startPostgres, startRedis } from "./targets.ts";

export interface RunOptions {
  readonly seconds: number;
  readonly seed: number;
  /** Where ledgers, records and logs go. */
  readonly folder: string;
}

/** All that a run left behind. */
export interface RunResult {
  /** How long the start took, and how long the end. */
  readonly startedMs: number;
  readonly settledMs: number;
  readonly happened: readonly Happened[];
  readonly calls: readonly CallRecord[];
  readonly effects: readonly Effect[];
  readonly incidents: readonly GivenIncident[];
  /** The ids in the database; undefined where the gateway keeps none. */
  readonly stored: ReadonlySet<string> | undefined;
  readonly ends: readonly DriverEnd[];
  /** Of each replica: at the start of the run, and in the end. */
  readonly samples: readonly { readonly replica: number; readonly before: Sample; readonly after: Sample }[];
  /** Processes that ended without being killed by the run, and unhandled rejections. */
  readonly crashes: readonly string[];
  /** What each replica logged. */
  readonly logs: readonly string[];
}

const INCIDENT_TABLE = "incident";
/** Calls that come too late, and incidents that are not written yet, have this time. */
const QUIET_MS = 7_000;

/** Starts everything, disturbs it, lets the callers settle what is open, and collects what is left. */
export async function run({ seconds, seed, folder }: RunOptions): Promise<RunResult> {
  mkdirSync(folder, { recursive: true });
  const beginMs = Date.now();
  const crashes: string[] = [];
  const opened: Disturbed[] = [];
  const keep = <T extends Disturbed>(one: T): T => {
    opened.push(one);
    return one;
  };
  const own = (name: string, file: string, args: readonly string[]): OwnProcess =>
    keep(
      new OwnProcess({
        file,
        args,
        cache: join(folder, "compiled"),
        log: join(folder, `${name}.log`),
        onCrash: () => void crashes.push(`${name} ended`),
        onMessage: (message) => {
          const { unhandled } = message as { readonly unhandled?: string };
          if (unhandled !== undefined) crashes.push(`${name}: ${unhandled}`);
        },
      }),
    );
  try {
    const redis = keep(await startRedis());
    const postgres = keep(await startPostgres());
    const ports = { honours: await freePort(), plain: await freePort() };
    const ledger = (name: UpstreamName) => join(folder, `${name}.ledger`);
    const upstreams = UPSTREAMS.map((name) => own(name, "upstream.ts", [name, String(ports[name]), ledger(name)]));
    await Promise.all(upstreams.map((one) => one.start()));
    const replicaPorts = await Promise.all(Array.from({ length: REPLICAS }, freePort));
    const replicas = replicaPorts.map((port, index) => {
      const config = replicaConfig({ port, ports, redis: redis.url, postgres: postgres.url });
      return own(`replica-${index}`, "replica.ts", [JSON.stringify(config)]);
    });
    // The first makes the tables.
    await replicas[0]?.start();
    await Promise.all(replicas.slice(1).map((replica) => replica.start()));
    const targets = new Map<Target, Disturbed>([
      ["redis", redis],
      ["postgres", postgres],
      ...UPSTREAMS.map((name, at) => [name, upstreams[at] as Disturbed] as const),
      ...replicas.map((replica, at) => [`replica-${at}`, replica] as const),
    ]);

    const files = Array.from({ length: DRIVERS }, (_, driver) => join(folder, `driver-${driver}.jsonl`));
    const drivers = files.map((file, driver) => {
      const setup: DriverSetup = { seed, driver, ports: replicaPorts, apiKey: API_KEY, file, planted: PLANTED };
      return own(`driver-${driver}`, "driver.ts", [JSON.stringify(setup)]);
    });
    await Promise.all(drivers.map((driver) => driver.start()));
    // Some calls warm everything up.
    await sleep(1_000);
    const before = await sampleAll(replicas);
    const startedMs = Date.now() - beginMs;
    const happened = await disturb(disturbances(seed, seconds), targets, seconds);
    const endMs = Date.now();
    const ends = await Promise.all(drivers.map((driver) => driver.ask<DriverEnd>("settle")));
    const settledMs = Date.now() - endMs;
    writeFileSync(join(folder, "happened.json"), JSON.stringify(happened));
    await sleep(QUIET_MS);
    const after = await sampleAll(replicas);
    const lines = files.flatMap((file) => linesOf<DriverLine>(file));
    return {
      startedMs,
      settledMs,
      happened,
      calls: lines.flatMap((line) => ("call" in line ? [line.call] : [])),
      incidents: lines.flatMap((line) => ("incident" in line ? [line.incident] : [])),
      effects: UPSTREAMS.flatMap((name) => linesOf<Effect>(ledger(name))),
      stored: await storedIncidents(postgres.url, INCIDENT_TABLE),
      ends,
      samples: replicas.map((_, replica) => ({
        replica,
        before: before[replica] as Sample,
        after: after[replica] as Sample,
      })),
      crashes,
      logs: replicas.map((_, at) => readFileSync(join(folder, `replica-${at}.log`), "utf8")),
    };
  } finally {
    for (const one of opened.toReversed()) await one.close();
  }
}

const TICK_MS = 50;
/** A shorter time can be any other process. */
const STALL_MS = 300;

/** Tells of times in which not even this process ran. */
function watchStalls(onStall: (stall: Happened) => void): NodeJS.Timeout {
  let last = Date.now();
  return setInterval(() => {
    const now = Date.now();
    if (now - last > STALL_MS) onStall({ what: "stall", target: "machine", fromMs: last, untilMs: now });
    last = now;
  }, TICK_MS);
}

/** Does what is planned, and tells when it really happened. What concerns one target is done in turn. */
async function disturb(
  planned: readonly Disturbance[],
  targets: ReadonlyMap<Target, Disturbed>,
  seconds: number,
): Promise<readonly Happened[]> {
  const startMs = Date.now();
  const happened: Happened[] = [];
  const watch = watchStalls((stall) => happened.push(stall));
  const turns = new Map<Target, Promise<void>>();
  for (const { atMs, what, target, forMs } of planned) {
    await sleep(Math.max(0, startMs + atMs - Date.now()));
    const work = async () => {
      const it = targets.get(target) as Disturbed;
      const fromMs = Date.now();
      await it[what]();
      await sleep(forMs);
      await (what === "kill" ? it.start() : it.resume());
      happened.push({ what, target, fromMs, untilMs: Date.now() });
    };
    turns.set(target, (turns.get(target) ?? Promise.resolve()).then(work));
  }
  await Promise.all(turns.values());
  await sleep(Math.max(0, startMs + seconds * 1_000 - Date.now()));
  clearInterval(watch);
  return happened;
}

async function sampleAll(replicas: readonly OwnProcess[]): Promise<readonly Sample[]> {
  const answers = await Promise.all(replicas.map((replica) => replica.ask<{ readonly sample: Sample }>("sample")));
  return answers.map(({ sample }) => sample);
}

function linesOf<T>(file: string): readonly T[] {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as T);
}
