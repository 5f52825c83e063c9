import { type Database, type DatabaseOptions, openDatabase as open } from "@recourse/reference-shared";
import { gtin } from "./reasons.ts";

/** Opens the database. During an outage callers get a fault with the time to wait: the only write, a claim, may be repeated. */
export function openDatabase(options: Omit<DatabaseOptions, "createOutageError">): Database {
  return open({ ...options, createOutageError: (details) => gtin.database_unavailable({}, details) });
}
