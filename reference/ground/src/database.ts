import pg from "pg";
import { isAway } from "./away.ts";

/** Rows of an answer. */
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** The database as the rest of the server sees it. */
export interface Database {
  /** Runs a statement that changes nothing, so that a failure has no effect. */
  read(sql: string, values: readonly unknown[]): Promise<Rows>;
  /** Runs a statement that changes something; each of ours may be repeated without harm. */
  write(sql: string, values: readonly unknown[]): Promise<Rows>;
  close(): Promise<void>;
}

/** How the connections behave. */
export interface DatabaseOptions {
  readonly url: string;
  /** What callers are told while the database is away. */
  readonly whenAway: (details: { readonly effect: "none" | "possible"; readonly cause: unknown }) => unknown;
  readonly maxConnections?: number;
  /** How long a connection may take to come about. */
  readonly connectMs?: number;
  /** How long an answer may take. */
  readonly answerMs?: number;
}

/** Opens a pool of connections; none is made before it is needed, and broken ones are replaced by themselves. */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, whenAway, maxConnections = 10, connectMs = 2_000, answerMs = 5_000 } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectMs,
    query_timeout: answerMs,
    statement_timeout: answerMs,
    idleTimeoutMillis: 10_000,
  });
  // A connection that breaks while nobody uses it fails nothing; without a listener it would end the process.
  pool.on("error", () => {});
  const run = async (effect: "none" | "possible", sql: string, values: readonly unknown[]): Promise<Rows> => {
    try {
      const { rows } = await pool.query<Record<string, unknown>>(sql, [...values]);
      return rows;
    } catch (thrown) {
      throw isAway(thrown) ? whenAway({ effect, cause: thrown }) : thrown;
    }
  };
  return {
    read: (sql, values) => run("none", sql, values),
    write: (sql, values) => run("possible", sql, values),
    close: () => pool.end(),
  };
}
