import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Cluster, createCluster, openPool } from "@recourse/test-kit/postgres";

/** What is done to the engines and replicas while they run. */
type Disturbance = "none" | "outage" | "kill";

/** Options of `runFlow`. */
export interface FlowOptions {
  readonly seconds: number;
  /** Incidents a second, of all replicas. */
  readonly rate: number;
  readonly disturbance: Disturbance;
  /** How long PostgreSQL is away. */
  readonly outageSeconds?: number;
}

interface ReplicaReport {
  readonly pushed: number;
  readonly dropped: number;
  readonly waiting: number;
  readonly maxWaiting: number;
  readonly rssBefore: number;
  readonly maxRss: number;
  readonly cpuMs: number;
}

/** What a run came to. */
export interface FlowReport {
  readonly pushed: number;
  /** Incidents a second that were reached; a busy machine does not reach what was asked for. */
  readonly reached: number;
  readonly dropped: number;
  readonly rows: number;
  /** Counts by minute and by hour. */
  readonly minutes: number;
  readonly hours: number;
  readonly maxWaiting: number;
  readonly rssBefore: number;
  readonly maxRss: number;
  readonly cpuUs: number;
  readonly killed: { readonly pushed: number; readonly rows: number; readonly lostMs: number } | undefined;
}

const REPLICAS = 4;
const FILE = fileURLToPath(new URL("replica.ts", import.meta.url));

/** Four processes push incidents into one PostgreSQL of their own. */
export async function runFlow(options: FlowOptions): Promise<FlowReport> {
  const cluster = await createCluster({ settings: ["fsync=on", "max_wal_size=2GB"] });
  const folder = mkdtempSync(join(tmpdir(), "incidents-"));
  try {
    return await runOn(cluster, folder, options);
  } finally {
    await cluster.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runOn(cluster: Cluster, folder: string, options: FlowOptions): Promise<FlowReport> {
  const { seconds, rate, disturbance, outageSeconds = 2 } = options;
  const logOf = (name: string) => join(folder, name);
  const names = Array.from({ length: REPLICAS }, (_, index) => `replica-${index}`);
  const replicas = names.map((name) =>
    fork(FILE, [cluster.url, name, String(rate / REPLICAS), logOf(name)], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    }),
  );
  try {
    await Promise.all(replicas.map(answerOf));
  } catch (error) {
    for (const one of replicas) one.kill();
    throw error;
  }
  for (const one of replicas) one.send("start");
  const victim = disturbance === "kill" ? replicas[0] : undefined;
  let killedAt = 0;
  const started = performance.now();
  if (disturbance === "none") await pause(seconds);
  else if (disturbance === "kill") {
    await pause(seconds / 2 + Math.random());
    killedAt = Date.now();
    victim?.kill("SIGKILL");
    await pause(seconds / 2);
  } else {
    await pause(seconds / 2);
    await cluster.kill();
    await pause(outageSeconds);
    await cluster.start();
    await pause(seconds / 2);
  }
  const ranSeconds = (performance.now() - started) / 1_000;
  const reports = await Promise.all(replicas.filter((one) => one !== victim).map(reportOf));
  const pool = openPool(cluster.url, { max: 1 });
  const numberOf = async (sql: string, values: unknown[] = []) => {
    const { rows } = await pool.query<{ n: string }>(sql, values);
    return Number(rows[0]?.n ?? 0);
  };
  const count = (width: number) =>
    numberOf("select coalesce(sum(n), 0) as n from incident_count where width = $1", [width]);
  const sum = (member: keyof ReplicaReport) => reports.reduce((total, report) => total + report[member], 0);
  const max = (member: keyof ReplicaReport) => Math.max(...reports.map((report) => report[member]));
  const lastOf = (name: string) =>
    readFileSync(logOf(name), "utf8").trimEnd().split("\n").at(-1)?.split(" ").map(Number);
  let killed: FlowReport["killed"];
  if (victim !== undefined) {
    const [pushed = 0] = lastOf("replica-0") ?? [];
    const rows = await numberOf("select count(*) as n from incident where tenant = 'replica-0'");
    const last = "select extract(epoch from max(at)) * 1000 as n from incident where tenant = 'replica-0'";
    killed = { pushed, rows, lostMs: killedAt - (await numberOf(last)) };
  }
  const report: FlowReport = {
    pushed: sum("pushed") + (killed?.pushed ?? 0),
    reached: ((sum("pushed") / reports.length) * REPLICAS) / ranSeconds,
    dropped: sum("dropped"),
    rows: await numberOf("select count(*) as n from incident"),
    minutes: await count(1),
    hours: await count(60),
    maxWaiting: max("maxWaiting"),
    rssBefore: max("rssBefore"),
    maxRss: max("maxRss"),
    cpuUs: (sum("cpuMs") * 1_000) / Math.max(1, sum("pushed")),
    killed,
  };
  await pool.end();
  return report;
}

async function reportOf(replica: ChildProcess): Promise<ReplicaReport> {
  const answer = answerOf(replica);
  replica.send("stop");
  return (await answer) as ReplicaReport;
}

/** The next message of a process; rejects where it ends instead. */
async function answerOf(replica: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const ended = once(replica, "exit", over).then(() => Promise.reject(new Error("a replica has ended")));
  try {
    const [answer] = (await Promise.race([once(replica, "message", over), ended])) as [unknown];
    return answer;
  } finally {
    ended.catch(() => {});
    over.abort();
  }
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
}
