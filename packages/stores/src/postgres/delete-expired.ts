import type { PostgresPool } from "./pool.ts";
import type { TableOptions } from "./schema.ts";
import { statementsOf } from "./statements.ts";

/** Options of `deleteExpired`. */
export interface DeleteExpiredOptions extends TableOptions {
  /** The most rows of one statement; others wait for its locks, so keep it small. @default 1_000 */
  readonly batch?: number;
  /** Ends the work after the statement that runs. @default none */
  readonly signal?: AbortSignal | undefined;
  /** How long one statement may take, in ms. @default 30_000 */
  readonly timeoutMs?: number;
}

/**
 * Deletes keys that are no longer remembered, in batches, until none is left, and what was counted too long ago to matter.
 * Returns how many keys. Several processes may do so at once.
 *
 * @example
 * setInterval(() => deleteExpired(pool), 60_000);
 */
export async function deleteExpired(pool: PostgresPool, options: DeleteExpiredOptions = {}): Promise<number> {
  const { batch = 1_000, signal, timeoutMs = 30_000, ...table } = options;
  const { deleteExpired: statement, deleteCounts } = statementsOf({ ...table, prepare: false, timeoutMs });
  await pool.query(deleteCounts([]));
  let total = 0;
  while (signal?.aborted !== true) {
    const { rowCount } = await pool.query(statement([batch]));
    total += rowCount ?? 0;
    if ((rowCount ?? 0) < batch) break;
  }
  return total;
}
