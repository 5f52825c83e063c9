// A database of its own for each file of tests.
import { randomUUID } from "node:crypto";
import pg from "pg";
import { migrate } from "../migrate.ts";

/** The server that the tests have a database on. */
export const SERVER = process.env["TEST_DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";

/** A database that nobody else uses. */
export interface TestDatabase {
  readonly url: string;
  /** Runs a statement beside the server under test. */
  query(sql: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/** Creates a database with the schema and the seeds of a server in it; `folder` is where these are. */
export async function createTestDatabase(folder: URL): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await run(SERVER, `create database ${name}`);
  const address = new URL(SERVER);
  address.pathname = `/${name}`;
  const url = address.href;
  await migrate(url, { folder });
  return {
    url,
    query: (sql, values = []) => run(url, sql, values),
    drop: async () => {
      await run(SERVER, `drop database ${name} with (force)`);
    },
  };
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
