import type { Database } from "@recourse/reference-shared";

/** The health of the database. */
export interface Health {
  isUp(): Promise<boolean>;
}

/** Options of the health check. */
export interface HealthOptions {
  /**
   * How long an answer is cached, in ms.
   *
   * @default 1_000
   */
  readonly maxAgeMs?: number;
  /**
   * How long the database may take, in ms.
   *
   * @default 500
   */
  readonly timeoutMs?: number;
  readonly now?: () => number;
}

/** Creates the health check. It asks the database at most once per `maxAgeMs`. It never rejects. */
export function createHealth(database: Pick<Database, "read">, options: HealthOptions = {}): Health {
  const { maxAgeMs = 1_000, timeoutMs = 500, now = Date.now } = options;
  let last: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  return {
    isUp() {
      if (last === undefined || now() - last.at >= maxAgeMs)
        last = { at: now(), answer: checkDatabase(database, timeoutMs) };
      return last.answer;
    },
  };
}

async function checkDatabase(database: Pick<Database, "read">, timeoutMs: number): Promise<boolean> {
  const signal = AbortSignal.timeout(timeoutMs);
  const timedOut = new Promise<boolean>((resolve) => signal.addEventListener("abort", () => resolve(false)));
  const isUp = database.read("select 1", []).then(
    () => true,
    () => false,
  );
  return Promise.race([isUp, timedOut]);
}
