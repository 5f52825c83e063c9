/** A statement with its values, as `pg` takes it. */
export interface Statement {
  readonly text: string;
  readonly values?: unknown[];
}

/** What came of a statement. */
interface Result {
  readonly rows: readonly unknown[];
  readonly rowCount: number | null;
}

/** One connection to PostgreSQL. */
export interface Connection {
  query(statement: Statement): Promise<Result>;
  /** @param isBroken The connection is closed instead of being used again. */
  release(isBroken?: boolean): void;
}

/** What the incidents need of a pool of PostgreSQL connections. */
export interface IncidentPool {
  query(statement: Statement): Promise<Result>;
  connect(): Promise<Connection>;
}

/** Runs statements in one transaction. */
export async function inTransaction<T>(connection: Connection, run: () => Promise<T>): Promise<T> {
  await connection.query({ text: "begin" });
  try {
    const result = await run();
    await connection.query({ text: "commit" });
    return result;
  } catch (error) {
    await connection.query({ text: "rollback" }).catch(() => {});
    throw error;
  }
}
