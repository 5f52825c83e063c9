/** A statement as `pg` takes it. */
export interface PostgresQuery {
  /** The name under which a connection prepares it once. */
  readonly name?: string;
  /** SQL. */
  readonly text: string;
  /** The values of `$1`, `$2` … */
  readonly values?: unknown[];
  /** How long it may take, in ms. */
  readonly query_timeout?: number;
}

/** What a statement answered. */
export interface PostgresResult {
  /** The rows, as objects. */
  readonly rows: readonly unknown[];
  /** How many rows were changed. */
  readonly rowCount: number | null;
}

/** A pool of connections: a `Pool` of `pg`, or anything with its `query`. */
export interface PostgresPool {
  /** Runs one statement, on any connection, in a transaction of its own. */
  query(query: PostgresQuery): Promise<PostgresResult>;
}

/** Classes of SQLSTATE: the data cannot be read, breaks a rule of the table, or exceeds what PostgreSQL can do. */
const DATA_ERROR_CLASS = /^(?:22|23|54)[0-9A-Z]{3}$/;

/**
 * Whether PostgreSQL refused the data of a statement. It refuses them however often they are sent, and serves all other
 * statements: it is not down.
 *
 * @example
 * await pool.query(insert).catch((error) => {
 *   if (!isDataError(error)) throw error;
 * });
 */
export function isDataError(error: unknown): boolean {
  const code = (error as { readonly code?: unknown } | null | undefined)?.code;
  return typeof code === "string" && DATA_ERROR_CLASS.test(code);
}
