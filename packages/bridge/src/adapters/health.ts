/** How well a backend works. */
export type BackendStatus = "healthy" | "degraded" | "down";

/** What a call or a check shows about the backend. */
export type Observation = "working" | "failing" | "inconclusive";

/** Where an observation comes from: a tool call, or a health check. */
export type Observer = "call" | "check";

/** How many failures in a row change the status. */
export interface Thresholds {
  readonly degradedAfter: number;
  readonly downAfter: number;
}

/** The status of a backend and the failures behind it. */
export interface Health {
  readonly status: BackendStatus;
  /** Failures in a row. */
  readonly failures: number;
}

/** A backend that has not failed yet. */
export const HEALTHY: Health = Object.freeze({ status: "healthy", failures: 0 });

/** The health after one more observation. */
export function nextHealth(
  health: Health,
  observation: Observation,
  by: Observer,
  { degradedAfter, downAfter }: Thresholds,
): Health {
  // A call that began before the backend went down says nothing about it now: only a check ends the outage.
  if (observation === "inconclusive" || (health.status === "down" && by === "call")) return health;
  if (observation === "working") return HEALTHY;
  const failures = health.failures + 1;
  if (failures >= downAfter) return { failures, status: "down" };
  return { failures, status: failures >= degradedAfter ? "degraded" : "healthy" };
}
