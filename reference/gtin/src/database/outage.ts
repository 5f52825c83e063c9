import { type FaultError, toFault } from "@recourse/faults";
import pg from "pg";
import { gtin } from "../reasons.ts";

/** Classes of failure that say: the database is not to be had, and it is not for what was asked. */
const AWAY = new Set(["dependency", "retryable"]);

/** The fault of a database that is away, or undefined where the failure is one of its set-up or of ours. */
export function outageOf(thrown: unknown, effect: "none" | "possible"): FaultError | undefined {
  if (!isAway(thrown)) return undefined;
  return gtin.database_unavailable({}, { effect, cause: thrown });
}

function isAway(thrown: unknown): boolean {
  // The driver has no codes of its own: its plain errors all say that the connection did not come about or did not hold.
  if (isDriversOwn(thrown)) return true;
  const { class: group, retry } = toFault(thrown);
  return AWAY.has(group) && retry?.allowed !== false;
}

function isDriversOwn(thrown: unknown): boolean {
  return (
    thrown instanceof Error &&
    !(thrown instanceof pg.DatabaseError) &&
    thrown.constructor === Error &&
    !("code" in thrown)
  );
}
