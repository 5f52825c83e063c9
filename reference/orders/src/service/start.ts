import { type ListenAddress, listen, type RunningServer } from "@recourse/reference-shared";
import { openDatabase } from "../database/database.ts";
import { postgresBackend } from "../postgres/adapter.ts";
import { createService } from "./service.ts";

/** Options of the running REST service. */
export interface StartServiceOptions extends ListenAddress {
  readonly databaseUrl: string;
  /** The key that clients have to send. */
  readonly key: string;
  /**
   * How long a statement may take, in ms.
   *
   * @default 2_000
   */
  readonly statementTimeoutMs?: number;
  /**
   * Receives failures that callers cannot correct.
   *
   * @default they are dropped
   */
  readonly onFailure?: (thrown: unknown) => void;
}

/** Starts the REST service on a database. */
export async function startService(options: StartServiceOptions): Promise<RunningServer> {
  const { databaseUrl: url, statementTimeoutMs } = options;
  const database = openDatabase({ url, ...(statementTimeoutMs !== undefined && { statementTimeoutMs }) });
  const backend = postgresBackend(database);
  return listen(createService({ ...options, backend }), options, () => backend.close());
}
