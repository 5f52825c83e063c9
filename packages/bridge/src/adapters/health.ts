/** How a backend is doing. */
export type BackendStatus = "healthy" | "degraded" | "down";

/** What a call or a check says about the backend: it works, it fails, or nothing at all. */
export type Evidence = "alive" | "failing" | "nothing";

/** How many failures in a row it takes. */
export interface Thresholds {
  readonly degradedAfter: number;
  readonly downAfter: number;
}

/** Where a backend stands. */
export interface Health {
  readonly status: BackendStatus;
  /** Failures in a row. */
  readonly failures: number;
}

/** A backend that has not failed yet. */
export const HEALTHY: Health = Object.freeze({ status: "healthy", failures: 0 });

/** Who found out: a call, or a check made for the purpose. */
export type Witness = "call" | "check";

/** What is known after one more piece of evidence. */
export function judge(health: Health, evidence: Evidence, by: Witness, thresholds: Thresholds): Health {
  // Calls that began before a backend went down say nothing about it now: a check has to find it back.
  if (evidence === "nothing" || (health.status === "down" && by === "call")) return health;
  if (evidence === "alive") return HEALTHY;
  const failures = health.failures + 1;
  return { failures, status: statusAfter(failures, thresholds) };
}

function statusAfter(failures: number, { degradedAfter, downAfter }: Thresholds): BackendStatus {
  if (failures >= downAfter) return "down";
  return failures >= degradedAfter ? "degraded" : "healthy";
}
