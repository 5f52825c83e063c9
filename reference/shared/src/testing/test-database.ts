// A separate database for each test file.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { migrate } from "../migrate.ts";

/** The PostgreSQL server of the tests. */
export const TEST_SERVER_URL = process.env["TEST_DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";

/** The database of one test file. */
export interface TestDatabase {
  readonly url: string;
  /** Runs a statement on a connection of its own. */
  query(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/** Creates a database, with the schema and the seeds in a folder if one is given. */
export async function createTestDatabase(folder?: URL): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await run(TEST_SERVER_URL, `create database ${name}`);
  const address = new URL(TEST_SERVER_URL);
  address.pathname = `/${name}`;
  const url = address.href;
  if (folder !== undefined) await migrate(url, { folder });
  return {
    url,
    query: (sql, values = []) => run(url, sql, values),
    drop: async () => {
      await untilUnused(name);
      await run(TEST_SERVER_URL, `drop database ${name} with (force)`);
    },
  };
}

/** How long connections that are being closed may take. */
const CLOSING_MS = 2_000;

/** Waits for connections that are being closed: one that is cut off instead ends the tests with an error that nobody expects. */
async function untilUnused(name: string): Promise<void> {
  const untilMs = Date.now() + CLOSING_MS;
  while (Date.now() < untilMs) {
    const used = await run(TEST_SERVER_URL, "select 1 from pg_stat_activity where datname = $1 limit 1", [name]);
    if (used.length === 0) return;
    await sleep(50);
  }
}

async function run(url: string, sql: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql, [...values]);
    return rows;
  } finally {
    await client.end();
  }
}
