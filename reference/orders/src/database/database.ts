import pg from "pg";
import { failureOf } from "./failure.ts";

/** Rows of an answer. */
export type Rows = readonly Readonly<Record<string, unknown>>[];

/** Runs one statement. */
export type Query = (sql: string, values?: readonly unknown[]) => Promise<Rows>;

/** The database as the rest of the server sees it; what it throws says what it knows about the effect. */
export interface Database {
  /** Runs a statement that changes nothing. */
  read(signal: AbortSignal, sql: string, values?: readonly unknown[]): Promise<Rows>;
  /** Runs statements that count together, or not at all. */
  transaction<T>(signal: AbortSignal, work: (query: Query) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** How the connections behave. */
export interface DatabaseOptions {
  readonly url: string;
  readonly maxConnections?: number;
  /** How long a connection may take to come about. */
  readonly connectMs?: number;
  /** How long a statement may take, waits for locks included. */
  readonly answerMs?: number;
}

/** Opens a pool of connections; none is made before it is needed, and broken ones are replaced by themselves. */
export function openDatabase(options: DatabaseOptions): Database {
  const { url, maxConnections = 10, connectMs = 2_000, answerMs = 2_000 } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: connectMs,
    statement_timeout: answerMs,
    idleTimeoutMillis: 10_000,
  });
  // A connection that breaks fails the statement on it, if there is one; without listeners it would end the process.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return {
    read: async (signal, sql, values) => {
      try {
        return await connected(pool, signal, (query) => query(sql, values));
      } catch (thrown) {
        throw failureOf(thrown, { effect: "none", answerMs });
      }
    },
    transaction: async (signal, work) => {
      // What fails before the last word is undone; after it, nobody can tell.
      let effect: "none" | "possible" = "none";
      try {
        return await connected(pool, signal, async (query) => {
          const result = await undoing(query, work);
          effect = "possible";
          await query("commit");
          return result;
        });
      } catch (thrown) {
        throw failureOf(thrown, { effect, answerMs });
      }
    },
    close: () => pool.end(),
  };
}

async function undoing<T>(query: Query, work: (query: Query) => Promise<T>): Promise<T> {
  await query("begin");
  try {
    return await work(query);
  } catch (thrown) {
    // On a connection that is gone there is nothing left to undo.
    await query("rollback").catch(() => {});
    throw thrown;
  }
}

async function connected<T>(pool: pg.Pool, signal: AbortSignal, use: (query: Query) => Promise<T>): Promise<T> {
  signal.throwIfAborted();
  const client = await pool.connect();
  let isHeld = true;
  const release = (isBroken: boolean) => {
    if (isHeld) client.release(isBroken);
    isHeld = false;
  };
  // Cutting the connection ends the statement that nobody waits for, and undoes what it began.
  const cut = () => release(true);
  signal.addEventListener("abort", cut, { once: true });
  try {
    return await use(async (sql, values = []) => (await client.query<Record<string, unknown>>(sql, [...values])).rows);
  } finally {
    signal.removeEventListener("abort", cut);
    release(false);
  }
}
