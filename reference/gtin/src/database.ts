import { type Database, type DatabaseOptions, openDatabase as open } from "@recourse/reference-ground";
import { gtin } from "./reasons.ts";

/** Opens the server's database; while it is away, callers are told when to come back. */
export function openDatabase(options: Omit<DatabaseOptions, "whenAway">): Database {
  return open({ ...options, whenAway: (details) => gtin.database_unavailable({}, details) });
}
