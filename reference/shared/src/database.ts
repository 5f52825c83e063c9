import { toFault } from "@recourse/faults/server";
import pg from "pg";

/** Classes of failure that mean the database cannot be used at the moment. */
const OUTAGE_CLASSES = new Set(["dependency", "retryable"]);

/** Whether the database is not available, in contrast to a wrong setting or a bug in a statement. */
export async function isOutage(thrown: unknown): Promise<boolean> {
  if (isConnectionError(thrown)) return true;
  const { class: group, retry } = await toFault(thrown);
  return OUTAGE_CLASSES.has(group) && retry?.allowed !== false;
}

/** Whether the driver itself threw. Its errors have no codes, and all of them mean a connection that failed. */
export function isConnectionError(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    !(thrown instanceof pg.DatabaseError) &&
    thrown.constructor === Error &&
    !("code" in thrown)
  );
}

/** The rows that a statement returned. */
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** The database of a server. */
export interface Database {
  /** Runs a statement that changes nothing, so that a failure has no effect. */
  read(sql: string, values: readonly unknown[]): Promise<Rows>;
  /** Runs a statement that changes something. If it began and the answer is lost, its effect is not known. */
  write(sql: string, values: readonly unknown[]): Promise<Rows>;
  close(): Promise<void>;
}

/** Options of a database. */
export interface DatabaseOptions {
  readonly url: string;
  /**
   * Makes the error that callers get while the database is not available. Its `effect` is `possible` if a write began:
   * only a server whose writes are all safe to repeat may then tell callers to call again.
   */
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
  // A broken connection fails its own statement. Without listeners it would also end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  const rethrow = async (effect: "none" | "possible", thrown: unknown): Promise<never> => {
    throw (await isOutage(thrown)) ? createOutageError({ effect, cause: thrown }) : thrown;
  };
  const run = async (effect: "none" | "possible", sql: string, values: readonly unknown[]): Promise<Rows> => {
    const client = await pool.connect().catch((thrown: unknown) => rethrow("none", thrown));
    let isBroken = true;
    try {
      const { rows } = await client.query<Record<string, unknown>>(sql, [...values]);
      isBroken = false;
      return rows;
    } catch (thrown) {
      return await rethrow(effect, thrown);
    } finally {
      client.release(isBroken);
    }
  };
  return {
    read: (sql, values) => run("none", sql, values),
    write: (sql, values) => run("possible", sql, values),
    close: () => pool.end(),
  };
}
