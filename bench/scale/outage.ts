// The incidents of an outage: simulated for all replicas of a large gateway, and written for real by as many as fit here.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createCluster, openPool } from "@recourse/test-kit/postgres";
import type pg from "pg";
import { Recorder } from "../../packages/gateway/src/incidents/record.ts";
import { IncidentWriter } from "../../packages/gateway/src/incidents/writer.ts";
import { BENCH_INCIDENTS, outageIncident } from "../incidents/push.ts";
import { cpuOf } from "./engines.ts";
import { replaceTimers, Timeline } from "./timeline.ts";

/** An outage in which every call fails. */
export interface OutagePlan {
  readonly replicas: number;
  readonly seconds: number;
  /** Failing calls per second, of each replica. */
  readonly failuresPerSecond: number;
}

/** What came of it, of all replicas together. */
export interface OutageReport {
  readonly failures: number;
  readonly rows: number;
  readonly samples: number;
  /** Counted and never kept, since there was no room. */
  readonly dropped: number;
  /** The longest queue of a replica. */
  readonly longestQueue: number;
  /** From the end of the outage until everything is written, in seconds; infinite if it never is. */
  readonly emptyAfterSeconds: number;
  /** CPU seconds of PostgreSQL for each second of the outage. */
  readonly postgresCores: number;
}

/** The PostgreSQL of a simulation. */
export interface SimulatedPostgres {
  readonly cores: number;
  /** CPU for a row, all its indexes and counts included. */
  readonly rowUs: number;
}

const NETWORK_MS = 0.5;
/** CPU of a statement beside its rows. */
const STATEMENT_US = 50;
const START_MS = Date.UTC(2026, 0, 1, 12);
/** Incidents of a replica come in slices of this time. */
const SLICE_MS = 10;
/** A queue that is not empty by then counts as one that never is. */
const MAX_DRAIN_MS = 600_000;

/** Plays an outage with the recorder and the writer of the gateway, and a PostgreSQL that only takes time. */
export async function simulateOutage(plan: OutagePlan, postgres: SimulatedPostgres): Promise<OutageReport> {
  const timeline = new Timeline();
  const restoreTimers = replaceTimers(timeline);
  try {
    const database = new TimedPostgres(timeline, postgres);
    const replicas = Array.from({ length: plan.replicas }, (_, index) => simulatedReplica(timeline, database, index));
    const totals = { failures: 0, longestQueue: 0 };
    const endMs = plan.seconds * 1_000;
    for (const [index, replica] of replicas.entries()) {
      let made = 0;
      const slice = () => {
        const { nowMs } = timeline;
        const due = Math.floor((Math.min(nowMs, endMs) * plan.failuresPerSecond) / 1_000);
        for (; made < due; made += 1) replica.fail(made);
        totals.longestQueue = Math.max(totals.longestQueue, replica.writer.waiting);
        if (nowMs < endMs) timeline.at(nowMs + SLICE_MS, slice);
        else totals.failures += made;
      };
      // Replicas do not work in step.
      timeline.at((index * SLICE_MS) / plan.replicas, slice);
    }
    await timeline.run(endMs + SLICE_MS);
    const isWaiting = () => replicas.some(({ writer }) => writer.waiting > 0);
    while (isWaiting() && timeline.nowMs < endMs + MAX_DRAIN_MS) await timeline.run(timeline.nowMs + 100);
    return {
      ...totals,
      rows: database.rows,
      samples: database.samples,
      dropped: replicas.reduce((sum, { writer }) => sum + writer.dropped, 0),
      emptyAfterSeconds: isWaiting() ? Number.POSITIVE_INFINITY : (timeline.nowMs - endMs) / 1_000,
      postgresCores: database.busyMs / endMs,
    };
  } finally {
    restoreTimers();
  }
}

function simulatedReplica(timeline: Timeline, postgres: TimedPostgres, index: number) {
  const recorder = new Recorder({ config: BENCH_INCIDENTS });
  const { keepMs } = BENCH_INCIDENTS;
  const pool = postgres as unknown as pg.Pool;
  const writer = new IncidentWriter({ pool, replica: `replica-${index}`, keepMs, onSwitch: () => {} });
  const incidents = { admit: (facts: Parameters<Recorder["admit"]>[0]) => recorder.admit(facts, writer) };
  const cause = new Error("connect ECONNREFUSED");
  return {
    writer,
    fail(number: number): void {
      const call = { number, tenant: "tenant", atMs: START_MS + Math.floor(timeline.nowMs), cause };
      const record = recorder.record(outageIncident(incidents, call));
      if (record !== undefined) writer.add(record);
    },
  };
}

/** Takes the time that a PostgreSQL with some cores would take. */
class TimedPostgres {
  readonly #timeline: Timeline;
  readonly #rowUs: number;
  readonly #freeAtMs: number[];
  readonly #ids = new Set<string>();
  samples = 0;
  busyMs = 0;

  constructor(timeline: Timeline, { cores, rowUs }: SimulatedPostgres) {
    this.#timeline = timeline;
    this.#rowUs = rowUs;
    this.#freeAtMs = Array.from({ length: cores }, () => 0);
  }

  get rows(): number {
    return this.#ids.size;
  }

  query({ text, values = [] }: pg.QueryConfig) {
    const isRows = text.startsWith("insert into incident (");
    const ids = isRows ? (values[0] as readonly string[]) : [];
    const samples = isRows ? (values[SAMPLE_COLUMN] as readonly unknown[]) : [];
    ids.forEach((id, index) => {
      // A batch that took too long comes again.
      if (this.#ids.has(id)) return;
      this.#ids.add(id);
      if (samples[index] !== null) this.samples += 1;
    });
    const workMs = (STATEMENT_US + this.#rowUs * ids.length) / 1_000;
    this.busyMs += workMs;
    const core = this.#freeAtMs.indexOf(Math.min(...this.#freeAtMs));
    const doneAtMs = Math.max(this.#timeline.nowMs, this.#freeAtMs[core] ?? 0) + workMs;
    this.#freeAtMs[core] = doneAtMs;
    // The writer reads only the time of the database from an answer.
    const answer = { rows: [{ now: START_MS + this.#timeline.nowMs }], rowCount: 1 };
    return new Promise<typeof answer>((resolve) => {
      this.#timeline.at(doneAtMs + NETWORK_MS, () => resolve(answer), { needs: Promise.resolve() });
    });
  }

  async connect() {
    let isOpen = true;
    const query = (statement: pg.QueryConfig) =>
      isOpen ? this.query(statement) : Promise.reject(new Error("the connection is closed"));
    const release = (isBroken?: boolean | Error) => {
      // What was under way is rolled back, and its work was for nothing.
      if (isBroken) isOpen = false;
    };
    return { query, release };
  }
}

/** The column of the samples in the statement that writes rows. */
const SAMPLE_COLUMN = 9;

const REPLICA = fileURLToPath(new URL("../incidents/replica.ts", import.meta.url));
interface WrittenReport {
  readonly pushed: number;
  readonly dropped: number;
  readonly maxWaiting: number;
  readonly emptyAfterMs: number;
  readonly rssBefore: number;
  readonly maxRss: number;
  readonly cpuMs: number;
}

/** The same with processes that write into a real PostgreSQL; also the most that the memory of one grew, in bytes. */
export async function writeOutage(
  plan: OutagePlan,
): Promise<OutageReport & { readonly memoryGrowth: number; readonly cpuUsPerFailure: number }> {
  const cluster = await createCluster({ settings: ["fsync=on", "max_wal_size=2GB"] });
  const folder = mkdtempSync(join(tmpdir(), "outage-"));
  const children = Array.from({ length: plan.replicas }, (_, index) => {
    const name = `replica-${index}`;
    return fork(REPLICA, [cluster.url, name, String(plan.failuresPerSecond), join(folder, name), "outage"]);
  });
  try {
    await Promise.all(children.map((child) => once(child, "message")));
    const cpuBefore = await cpuOf(cluster.port);
    for (const child of children) child.send("start");
    await sleep(plan.seconds * 1_000);
    const reports = await Promise.all(children.map(stop));
    const cpu = (await cpuOf(cluster.port)) - cpuBefore;
    const pool = openPool(cluster.url, { max: 1 });
    const { rows } = await pool.query<{ rows: string; samples: string }>(
      "select count(*) as rows, count(sample) as samples from incident",
    );
    await pool.end();
    const sum = (member: keyof WrittenReport) => reports.reduce((total, report) => total + report[member], 0);
    const most = (member: keyof WrittenReport) => Math.max(...reports.map((report) => report[member]));
    return {
      failures: sum("pushed"),
      rows: Number(rows[0]?.rows),
      samples: Number(rows[0]?.samples),
      dropped: sum("dropped"),
      longestQueue: most("maxWaiting"),
      emptyAfterSeconds: most("emptyAfterMs") / 1_000,
      postgresCores: cpu / plan.seconds,
      memoryGrowth: Math.max(...reports.map(({ rssBefore, maxRss }) => maxRss - rssBefore)),
      cpuUsPerFailure: (sum("cpuMs") * 1_000) / sum("pushed"),
    };
  } finally {
    for (const child of children) child.kill("SIGKILL");
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function stop(child: ChildProcess): Promise<WrittenReport> {
  const report = once(child, "message");
  child.send("stop");
  return ((await report) as [WrittenReport])[0];
}
