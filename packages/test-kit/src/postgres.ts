// A separate PostgreSQL server that tests may kill.

import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { globSync } from "node:fs";
import { chmod, chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "./network.ts";

const execute = promisify(execFile);

export interface Cluster {
  readonly url: string;
  readonly port: number;
  start(): Promise<void>;
  /** Ends it like a power cut, without closing connections. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** Options of `createCluster`. */
export interface ClusterOptions {
  /** The database that `url` names; it is not created. @default "postgres" */
  readonly database?: string;
  /** Settings of the server, as `name=value`. @default only `fsync=off` */
  readonly settings?: readonly string[];
}

/** Makes a cluster in a folder of its own, and starts it. */
export async function createCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { database = "postgres", settings = ["fsync=off"] } = options;
  const bin = globSync("/usr/lib/postgresql/*/bin").toSorted().at(-1);
  if (bin === undefined) throw new Error("PostgreSQL is not installed");
  const folder = await mkdtemp(join(tmpdir(), "test-cluster-"));
  await chmod(folder, 0o755);
  const data = join(folder, "data");
  await mkdir(data, { mode: 0o700 });
  const asOwner = await runAsOwner(data);
  const port = await freePort();
  const own = ["listen_addresses=127.0.0.1", `unix_socket_directories=${data}`, ...settings];
  const flags = [`-p ${port}`, ...own.map((setting) => `-c ${setting}`)].join(" ");
  const control = (...args: readonly string[]) => asOwner(join(bin, "pg_ctl"), "-D", data, "-w", ...args);
  const start = async () => {
    await control("-l", join(data, "log"), "-o", flags, "start");
  };
  const kill = async () => {
    await control("-m", "immediate", "stop");
  };
  await asOwner(
    join(bin, "initdb"),
    "-D",
    data,
    "-A",
    "trust",
    "-U",
    "postgres",
    "--no-sync",
    "-E",
    "UTF8",
    "--locale=C",
  );
  await start();
  return {
    url: `postgres://postgres@127.0.0.1:${port}/${database}`,
    port,
    start,
    kill,
    close: async () => {
      await kill().catch(() => {});
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root, so there it runs as the user that its package made. */
async function runAsOwner(data: string): Promise<(...command: readonly string[]) => Promise<unknown>> {
  if (userInfo().uid !== 0) return (program = "", ...args) => execute(program, args);
  const [{ stdout: uid }, { stdout: gid }] = await Promise.all([
    execute("id", ["-u", "postgres"]),
    execute("id", ["-g", "postgres"]),
  ]);
  await chown(data, Number(uid), Number(gid));
  return (...command) => execute("runuser", ["-u", "postgres", "--", ...command]);
}

// A separate database for each test file.

export const TEST_SERVER_URL = process.env["TEST_DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";

export interface TestDatabase {
  readonly url: string;
  query(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/** Creates an empty database. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await runStatement(TEST_SERVER_URL, `create database ${name}`);
  const address = new URL(TEST_SERVER_URL);
  address.pathname = `/${name}`;
  const url = address.href;
  return {
    url,
    query: (sql, values = []) => runStatement(url, sql, values),
    drop: async () => {
      await untilUnused(name);
      await runStatement(TEST_SERVER_URL, `drop database ${name} with (force)`);
    },
  };
}

/** How long connections that are being closed may take on a slow machine. */
const CLOSING_MS = 20_000;

/** Connections of clients: the server also has some of its own, such as those that clean up. */
const CONNECTIONS = "select 1 from pg_stat_activity where datname = $1 and backend_type = 'client backend' limit 1";

/** Waits for connections that are being closed: one that is cut off instead ends the tests with an error that nobody expects. */
async function untilUnused(name: string): Promise<void> {
  const untilMs = Date.now() + CLOSING_MS;
  while (Date.now() < untilMs) {
    if ((await runStatement(TEST_SERVER_URL, CONNECTIONS, [name])).length === 0) return;
    // The pause between two looks.
    await sleep(10);
  }
}

async function runStatement(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql, [...values]);
    return rows;
  } finally {
    await client.end();
  }
}

/** A pool whose broken connections only fail their own statements. It waits for a connection however slow the machine is. */
export function openPool(url: string, settings: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 8, connectionTimeoutMillis: 600_000, ...settings });
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}
