// Which of the incident ids that callers got can be found in the database afterwards.
import pg from "pg";
import type { Check } from "./checks.ts";
import type { GivenIncident, Happened } from "./records.ts";

/** How much of a killed replica's incidents may be lost: what was not written yet. */
const LOSS_MS = 250;
/** An answer is read a moment after its incident was noted, and a write takes its time on a busy machine. */
const SLACK_MS = 500;

/** Incidents that were given to callers, and what became of them. */
export interface IncidentReport {
  readonly given: number;
  readonly found: number;
  /** Lost, and within the bound. */
  readonly lost: number;
  readonly check: Check;
}

/** The ids that are kept; undefined where the gateway keeps none. */
export async function storedIncidents(url: string, table: string): Promise<ReadonlySet<string> | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ found: string | null }>("select to_regclass($1) as found", [table]);
    if (rows[0]?.found == null) return undefined;
    const { rows: ids } = await client.query<{ id: string }>(`select id from ${table}`);
    return new Set(ids.map(({ id }) => id));
  } finally {
    await client.end();
  }
}

/** What is known beside the incidents themselves. */
export interface IncidentFacts {
  readonly stored: ReadonlySet<string>;
  readonly happened: readonly Happened[];
  /** What each replica logged. */
  readonly logs: readonly string[];
}

/** Compares the ids that callers got with those in the database, and explains what is missing. */
export function incidentReport(given: readonly GivenIncident[], facts: IncidentFacts): IncidentReport {
  const { stored, happened, logs } = facts;
  // A stored outcome brings the id of its first answer again; the earliest answer counts.
  const first = [...Map.groupBy(given, ({ id }) => id).values()].map(
    (answers) => answers.toSorted((a, b) => a.atMs - b.atMs)[0] as GivenIncident,
  );
  const missing = first.filter(({ id }) => !stored.has(id)).map((one) => originOf(one, logs));
  const bad = missing.filter((one) => !isWithinBound(one, happened));
  const name = "an incident that was lost outside the bound";
  const cases = bad.slice(0, 5).map(({ id, atMs, replica }) => `${id} of replica ${replica} at ${atMs}`);
  return {
    given: first.length,
    found: first.length - missing.length,
    lost: missing.length - bad.length,
    check: { name, looked: first.length, bad: bad.length, cases },
  };
}

/** The replica that made the incident, and when. Its first answer may have been lost, and another replica repeated it. */
function originOf(given: GivenIncident, logs: readonly string[]): GivenIncident {
  const replica = logs.findIndex((log) => log.includes(given.id));
  return { ...given, atMs: timeOf(given.id), replica: replica === -1 ? given.replica : replica };
}

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** The first ten characters of an id are the time, in base 32. */
function timeOf(id: string): number {
  return [...id.slice(0, 10)].reduce((sum, digit) => sum * 32 + DIGITS.indexOf(digit), 0);
}

/** Its replica was killed before it had 250 ms in which it ran and the database was there. */
function isWithinBound({ atMs, replica }: GivenIncident, happened: readonly Happened[]): boolean {
  const kill = happened
    .filter(
      ({ what, target, fromMs }) => what === "kill" && target === `replica-${replica}` && fromMs >= atMs - SLACK_MS,
    )
    .toSorted((a, b) => a.fromMs - b.fromMs)[0];
  if (kill === undefined) return false;
  const hindered = happened.filter(
    ({ what, target }) =>
      target === "postgres" || what === "stall" || (what === "pause" && target === `replica-${replica}`),
  );
  let ran = 0;
  for (let at = atMs; at < kill.fromMs; at += 10) {
    if (!hindered.some(({ fromMs, untilMs }) => fromMs <= at && at <= untilMs + SLACK_MS)) ran += 10;
  }
  return ran <= LOSS_MS + SLACK_MS;
}
