import { toFault } from "@recourse/faults";
import pg from "pg";

/** Classes of failure that mean the database cannot be used at the moment. */
const OUTAGE_CLASSES = new Set(["dependency", "retryable"]);

/** Whether the database is not available, in contrast to a wrong setting or a bug in a statement. */
export function isOutage(thrown: unknown): boolean {
  if (isConnectionError(thrown)) return true;
  const { class: group, retry } = toFault(thrown);
  return OUTAGE_CLASSES.has(group) && retry?.allowed !== false;
}

/** Whether the driver itself threw. Its errors have no codes, and all of them mean a connection that failed. */
export function isConnectionError(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    !(thrown instanceof pg.DatabaseError) &&
    thrown.constructor === Error &&
    !("code" in thrown)
  );
}
