import { AdapterError } from "@recourse/bridge";
import { FaultError } from "@recourse/faults";
import { adapter, core } from "@recourse/faults/reasons";
import { toFault } from "@recourse/faults/server";
import { isConnectionError } from "@recourse/reference-shared";
import pg from "pg";

/** The rows that a statement returned. */
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** Runs one statement. */
export type Query = (sql: string, values?: readonly unknown[]) => Promise<Rows>;

/** The database of the server. Its errors say whether anything was changed. */
export interface Database {
  /** Runs a statement that changes nothing. */
  read(signal: AbortSignal, sql: string, values?: readonly unknown[]): Promise<Rows>;
  /** Runs statements in one transaction. */
  transaction<T>(signal: AbortSignal, work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** Options of the database. */
export interface DatabaseOptions {
  readonly url: string;
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
   * How long a statement may take, in ms. Waiting for locks counts.
   *
   * @default 2_000
   */
  readonly statementTimeoutMs?: number;
}

/** Opens a pool of connections. The pool connects when a statement needs it, and replaces broken connections. */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, maxConnections = 10, connectTimeoutMs = 2_000, statementTimeoutMs = 2_000 } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idleTimeoutMillis: 10_000,
  });
  // A broken connection fails its own statement. Without listeners it would also end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return {
    read: async (signal, sql, values) => {
      try {
        return await withConnection(pool, signal, (query) => query(sql, values));
      } catch (thrown) {
        throw await toBackendError(thrown, { effect: "none", timeoutMs: statementTimeoutMs });
      }
    },
    transaction: async (signal, work) => {
      // Before the commit every failure is rolled back. During the commit the outcome is not known.
      let effect: "none" | "possible" = "none";
      try {
        return await withConnection(pool, signal, async (query) => {
          const result = await runInTransaction(query, work);
          effect = "possible";
          await query("commit");
          return result;
        });
      } catch (thrown) {
        throw await toBackendError(thrown, { effect, timeoutMs: statementTimeoutMs });
      }
    },
    close: () => pool.end(),
  };
}

async function runInTransaction<T>(query: Query, work: (query: Query) => Promise<T>): Promise<T> {
  await query("begin");
  try {
    return await work(query);
  } catch (thrown) {
    // On a broken connection the server rolls back by itself.
    await query("rollback").catch(() => {});
    throw thrown;
  }
}

async function withConnection<T>(pool: pg.Pool, signal: AbortSignal, use: (query: Query) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const client = await pool.connect();
  let isReleased = false;
  const release = ({ destroy }: { destroy: boolean }) => {
    if (!isReleased) client.release(destroy);
    isReleased = true;
  };
  // Destroying the connection ends the running statement, and rolls back its transaction.
  const onAbort = () => release({ destroy: true });
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await use(async (sql, values = []) => (await client.query<Record<string, unknown>>(sql, [...values])).rows);
  } finally {
    signal.removeEventListener("abort", onAbort);
    release({ destroy: false });
  }
}

/** What is known about a failed statement. */
interface StatementFacts {
  readonly effect: "none" | "possible";
  /** How long the statement could take, in ms. */
  readonly timeoutMs: number;
}

/** The fault of a failed statement. Errors that the backend threw itself stay unchanged. */
async function toBackendError(thrown: unknown, { effect, timeoutMs }: StatementFacts): Promise<unknown> {
  if (AdapterError.is(thrown) || FaultError.is(thrown)) return thrown;
  if (isConnectionError(thrown)) return adapter.unavailable({}, { effect, cause: thrown });
  const { kind, retry } = await toFault(thrown);
  switch (kind) {
    case "unavailable":
    case "overloaded":
      return adapter.unavailable({}, { effect, cause: thrown, ...(retry && { retry }) });
    case "timeout":
      return core.timeout({ timeoutMs }, { effect, cause: thrown });
    default:
      return adapter.failed({}, { effect, cause: thrown });
  }
}
