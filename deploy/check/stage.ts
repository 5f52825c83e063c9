// Engines, upstreams that write their effects down, and callers: those of the chaos run, around replicas of any version.
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@recourse/test-kit/network";
import { createCluster } from "@recourse/test-kit/postgres";
import { createRedisServer } from "@recourse/test-kit/redis";
import pg from "pg";
import { API_KEY } from "../../bench/gateway-chaos/config.ts";
import { UPSTREAMS, type UpstreamName } from "../../bench/gateway-chaos/plan.ts";
import { PLANTED } from "../../bench/gateway-chaos/planted.ts";
import type { CallRecord, DriverLine, DriverSetup, Effect, GivenIncident } from "../../bench/gateway-chaos/records.ts";
import { type Disturbed, OwnProcess } from "../../bench/gateway-chaos/targets.ts";
import type { CheckResult } from "./part.ts";
import { ReplicaSlot } from "./replica.ts";

/** Everything around the replicas of one check. */
export interface Stage {
  readonly folder: string;
  /** The address of the database that the replicas use. */
  readonly postgres: string;
  readonly slots: readonly ReplicaSlot[];
  /** Starts to make calls at all slots. */
  startCalls(seed: number): Promise<Calls>;
  /** What the upstreams have done. */
  effects(): readonly Effect[];
}

/** Calls that are being made. */
interface Calls {
  /** Ends the calls, repeats those with a key until they have an outcome, and gives all records. */
  settle(): Promise<{ readonly calls: readonly CallRecord[]; readonly incidents: readonly GivenIncident[] }>;
}

/** The database that the pages for operators name, made as compose makes it: the role owns its schema and nothing else. */
const CREATE_DATABASE = ["create role recourse login", "create database recourse"] as const;
const CREATE_SCHEMA = "create schema recourse authorization recourse";
const SLOTS = 3;
/** An upstream answers calls that nobody waits for until then. */
const LATE_ANSWERS_MS = 6_500;

/** Programs that a stage and the pages for operators need. */
const PROGRAMS = ["redis-server", "pg_dump", "pg_restore", "createdb", "psql", "git", "tar"] as const;

/** What this machine lacks. */
export function missingPrograms(): readonly string[] {
  const hasServer = globSync("/usr/lib/postgresql/*/bin/initdb").length > 0;
  const missing = PROGRAMS.filter((program) => spawnSync(program, ["--version"], { stdio: "ignore" }).status !== 0);
  return [...(hasServer ? [] : ["postgresql"]), ...missing];
}

/** Runs a check on a stage of its own, and clears everything away. If it fails, the folder with all logs is kept. */
export async function onStage(run: (stage: Stage) => Promise<CheckResult>): Promise<CheckResult> {
  const folder = mkdtempSync(join(tmpdir(), "recourse-upgrade-"));
  const opened: { close(): Promise<void> }[] = [];
  const keep = <One extends { close(): Promise<void> }>(one: One): One => {
    opened.push(one);
    return one;
  };
  try {
    const redis = keep(await createRedisServer({ durable: false }));
    const settings = ["fsync=off", "max_connections=200"];
    const cluster = keep(await createCluster({ settings }));
    const postgres = await createDatabase(cluster.url);
    const ports = { honours: await freePort(), plain: await freePort() };
    const ledger = (name: UpstreamName) => join(folder, `${name}.ledger`);
    const own = (name: string, file: string, args: readonly string[]): Disturbed & OwnProcess =>
      keep(
        new OwnProcess({
          file,
          args,
          cache: join(folder, "compiled"),
          log: join(folder, `${name}.log`),
          onCrash: () => {
            throw new Error(`${name} ended`);
          },
        }),
      );
    await Promise.all(
      UPSTREAMS.map((name) => own(name, "upstream.ts", [name, String(ports[name]), ledger(name)]).start()),
    );
    const setup = { folder, redis: redis.url, postgres, upstreams: ports };
    const slots = await Promise.all(Array.from({ length: SLOTS }, (_, slot) => ReplicaSlot.open({ ...setup, slot })));
    for (const slot of slots) keep({ close: async () => void (await slot.end("SIGKILL")) });
    const result = await run({
      folder,
      postgres,
      slots,
      effects: () => UPSTREAMS.flatMap((name) => linesOf<Effect>(ledger(name))),
      async startCalls(seed) {
        const file = join(folder, `driver-${seed}.jsonl`);
        const given: DriverSetup = {
          seed,
          driver: 0,
          ports: slots.map(({ port }) => port),
          apiKey: API_KEY,
          file,
          planted: PLANTED,
        };
        const driver = own("driver", "driver.ts", [JSON.stringify(given)]);
        await driver.start();
        return {
          async settle() {
            await driver.ask("settle");
            await sleep(LATE_ANSWERS_MS);
            await driver.kill();
            const lines = linesOf<DriverLine>(file);
            return {
              calls: lines.flatMap((line) => ("call" in line ? [line.call] : [])),
              incidents: lines.flatMap((line) => ("incident" in line ? [line.incident] : [])),
            };
          },
        };
      },
    });
    if (result.outcome === "failed")
      return { ...result, problems: [...result.problems, `logs and ledgers are in ${folder}`] };
    rmSync(folder, { recursive: true, force: true });
    return result;
  } finally {
    for (const one of opened.toReversed()) await one.close();
  }
}

/** Makes the database of the gateway on a server, and gives its address for the gateway. */
async function createDatabase(server: string): Promise<string> {
  const address = new URL(server);
  await runAll(address.href, CREATE_DATABASE);
  address.pathname = "/recourse";
  await runAll(address.href, [CREATE_SCHEMA]);
  address.username = "recourse";
  return address.href;
}

async function runAll(url: string, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

function linesOf<T>(file: string): readonly T[] {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as T);
}
