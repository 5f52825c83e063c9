import pg from "pg";
import { addressOf, StoreUnavailableError } from "./store-error.ts";

/** A pool that is open. */
export interface OpenPostgres {
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

const MAX_CONNECTIONS = 16;
const CONNECT_TIMEOUT_MS = 5_000;

/** Opens a pool and checks that it can be written to. It rejects with an error that contains no credential. */
export async function openPostgres(url: string, onError: (error: unknown) => void): Promise<OpenPostgres> {
  const where = `PostgreSQL at ${addressOf(url)}`;
  const pool = new pg.Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "recourse-gateway",
  });
  // A connection that breaks while nothing uses it is replaced.
  pool.on("error", onError);
  pool.on("connect", (client) => client.on("error", onError));
  let isReadOnly: boolean;
  try {
    const { rows } = await pool.query<{ read_only: boolean }>("select pg_is_in_recovery() as read_only");
    isReadOnly = rows[0]?.read_only === true;
  } catch (cause) {
    await pool.end().catch(() => {});
    throw new StoreUnavailableError(where, cause);
  }
  if (isReadOnly) {
    await pool.end();
    throw new StoreUnavailableError(where, { code: "25006" });
  }
  return { pool, close: () => pool.end() };
}
