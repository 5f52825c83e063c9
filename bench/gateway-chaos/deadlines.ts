/** The time for one call of the client kit. */
export const DEADLINE_MS = 8_000;
/** The time for one of its attempts: longer than the gateway waits for an upstream. */
export const TIMEOUT_MS = 3_000;
/** How long the gateway waits for an upstream. */
export const UPSTREAM_MS = 2_500;
