import pg from "pg";
import { isOutage } from "./outage.ts";

/** The rows that a statement returned. */
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** The database of a server. */
export interface Database {
  /** Runs a statement that changes nothing, so that a failure has no effect. */
  read(sql: string, values: readonly unknown[]): Promise<Rows>;
  /** Runs a statement that changes something. Every statement has to be safe to repeat. */
  write(sql: string, values: readonly unknown[]): Promise<Rows>;
  close(): Promise<void>;
}

/** Options of a database. */
export interface DatabaseOptions {
  readonly url: string;
  /** Makes the error that callers get while the database is not available. */
  readonly createOutageError: (details: { readonly effect: "none" | "possible"; readonly cause: unknown }) => unknown;
  /**
   * How many connections the pool may open.
   *
   * @default 10
   */
  readonly maxConnections?: number;
  /**
   * How long connecting may take, in ms.
   *
   * @default 2_000
   */
  readonly connectTimeoutMs?: number;
  /**
   * How long a statement may take, in ms.
   *
   * @default 5_000
   */
  readonly statementTimeoutMs?: number;
}

/** Opens a pool of connections. The pool connects when a statement needs it, and replaces broken connections. */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, createOutageError, maxConnections = 10, connectTimeoutMs = 2_000, statementTimeoutMs = 5_000 } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    query_timeout: statementTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idleTimeoutMillis: 10_000,
  });
  // An idle connection that breaks fails no statement. Without a listener it would end the process.
  pool.on("error", () => {});
  const run = async (effect: "none" | "possible", sql: string, values: readonly unknown[]): Promise<Rows> => {
    try {
      const { rows } = await pool.query<Record<string, unknown>>(sql, [...values]);
      return rows;
    } catch (thrown) {
      throw isOutage(thrown) ? createOutageError({ effect, cause: thrown }) : thrown;
    }
  };
  return {
    read: (sql, values) => run("none", sql, values),
    write: (sql, values) => run("possible", sql, values),
    close: () => pool.end(),
  };
}
