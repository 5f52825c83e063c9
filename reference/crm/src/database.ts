import { type Database, type DatabaseOptions, openDatabase as open } from "@recourse/reference-shared";
import { crm } from "./reasons.ts";

/** Opens the database. During an outage callers get a fault with the time to wait, unless a write may have been done. */
export function openDatabase(options: Omit<DatabaseOptions, "createOutageError">): Database {
  return open({
    ...options,
    createOutageError: ({ effect, cause }) =>
      effect === "none" ? crm.database_unavailable({}, { cause }) : crm.outcome_unknown({}, { cause }),
  });
}
