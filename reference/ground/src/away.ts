import { toFault } from "@recourse/faults";
import pg from "pg";

/** Classes of failure that say: the database is not to be had, and it is not for what was asked. */
const AWAY = new Set(["dependency", "retryable"]);

/** Tells a database that is away from a failure of its set-up or of ours. */
export function isAway(thrown: unknown): boolean {
  if (isDriversOwn(thrown)) return true;
  const { class: group, retry } = toFault(thrown);
  return AWAY.has(group) && retry?.allowed !== false;
}

/** The driver has no codes of its own: its plain errors all say that the connection did not come about or did not hold. */
export function isDriversOwn(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    !(thrown instanceof pg.DatabaseError) &&
    thrown.constructor === Error &&
    !("code" in thrown)
  );
}
