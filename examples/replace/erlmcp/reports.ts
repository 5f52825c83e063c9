// What both servers are about: a database of reports, and how many may be run in a minute.

/** Runs a query. The database is down. */
export async function query(_sql: string): Promise<string[]> {
  throw new Error("connect ECONNREFUSED postgres://app:hunter2@10.0.0.5:5432/reports");
}

/** Renders a report, which takes longer than anybody wants to wait. */
export function renderReport(): Promise<string> {
  return new Promise(() => {});
}

/** How many exports a minute may have. */
export const EXPORTS = { limit: 100, windowMs: 60_000, waitMs: 30_000 } as const;

/** How long a tool may run. */
export const TOOL_TIMEOUT_MS = 200;
