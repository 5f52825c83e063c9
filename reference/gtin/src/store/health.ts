import type { Database } from "@recourse/reference-ground";

/** Whether the database answers. */
export interface Health {
  isUp(): Promise<boolean>;
}

/** How the database is looked after. */
export interface HealthOptions {
  /** How long an answer holds. */
  readonly freshMs?: number;
  /** How long to wait for the database before it counts as down. */
  readonly waitMs?: number;
  readonly now?: () => number;
}

/** Asks the database at most once at a time and once in a while, however often somebody wants to know; never rejects. */
export function healthOf(database: Pick<Database, "read">, options: HealthOptions = {}): Health {
  const { freshMs = 1_000, waitMs = 500, now = Date.now } = options;
  let last: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  return {
    isUp() {
      if (last === undefined || now() - last.at >= freshMs) last = { at: now(), answer: asked(database, waitMs) };
      return last.answer;
    },
  };
}

async function asked(database: Pick<Database, "read">, waitMs: number): Promise<boolean> {
  const patience = AbortSignal.timeout(waitMs);
  const tired = new Promise<boolean>((resolve) => patience.addEventListener("abort", () => resolve(false)));
  const up = database.read("select 1", []).then(
    () => true,
    () => false,
  );
  return Promise.race([up, tired]);
}
