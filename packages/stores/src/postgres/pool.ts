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
