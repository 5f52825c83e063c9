import { type Listening, listen, type Place } from "@recourse/reference-ground";
import { openDatabase } from "../database/database.ts";
import { postgresBackend } from "../postgres/backend.ts";
import { createService } from "./service.ts";

/** What the service needs to run. */
export interface ServiceSetting extends Place {
  readonly databaseUrl: string;
  /** Who has it may ask. */
  readonly key: string;
  /** How long a statement may take. */
  readonly answerMs?: number;
  /** Where failures go that no caller can mend. */
  readonly onFailure?: (thrown: unknown) => void;
}

/** Starts the REST service on a database. */
export async function startService(setting: ServiceSetting): Promise<Listening> {
  const { databaseUrl: url, answerMs } = setting;
  const backend = postgresBackend(openDatabase({ url, ...(answerMs !== undefined && { answerMs }) }));
  return listen(createService({ ...setting, backend }), setting, () => backend.close());
}
