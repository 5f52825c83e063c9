import type { IdempotencyState } from "@recourse/core/server";
import { checkNumbers, MAX_TIMER_MS } from "@recourse/core/wire";
import type { Background } from "../shared/background.ts";
import { windowPartMs } from "../shared/caller-share.ts";
import {
  createBackground,
  DEFAULT_KEEP_MS,
  DEFAULT_TIMEOUT_MS,
  type Engine,
  now,
  type SharedIdempotencyStore,
  type SharedStoreOptions,
  sharedStore,
} from "../shared/shared-store.ts";
import { createBatches } from "./batches.ts";
import { isDataError, type PostgresPool, type PostgresResult } from "./pool.ts";
import type { TableOptions } from "./schema.ts";
import { type ClaimRow, createStatements, MAX_ROWS, type SettledRow, type Statements } from "./statements.ts";

/** Options of `postgresIdempotency`. */
export interface PostgresIdempotencyOptions extends SharedStoreOptions, TableOptions {
  /** A `Pool` of `pg`. The store opens and closes no connections. */
  readonly pool: PostgresPool;
  /** Whether statements are prepared; false for a proxy that cannot keep them (PgBouncer before 1.21). @default true */
  readonly prepare?: boolean;
  /**
   * How often expired keys are deleted while calls come in, in ms. `Infinity` leaves it to you (`deleteExpired`).
   * @default 60_000
   */
  readonly deleteEveryMs?: number;
}

/**
 * Keeps idempotency keys in a table of PostgreSQL, which every process shares, and which outlives them all. Make the tables
 * with `createSchema` first.
 *
 * @example
 * const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL });
 * await createSchema(pool);
 * const store = postgresIdempotency({ pool });
 * guard(server, { idempotency: { store } });
 */
export function postgresIdempotency(options: PostgresIdempotencyOptions): SharedIdempotencyStore {
  const { pool, table, prepare = true, keepMs = DEFAULT_KEEP_MS, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  checkNumbers("", options, { deleteEveryMs: { min: 0 } });
  const names = table === undefined ? {} : { table };
  const statements = createStatements({ ...names, prepare, timeoutMs });
  const background = createBackground(options);
  const engine = postgresEngine({ pool, statements, keepMs, keyWindowMs: options.keyWindowMs ?? keepMs });
  const clean = cleaner(() => deleteExpired(pool, { ...names, signal: background.closing }), background, options);
  const begin: Engine["begin"] = (claim) => {
    clean();
    return engine.begin(claim);
  };
  return sharedStore({ ...engine, begin }, options, background);
}

interface EngineParts {
  readonly pool: PostgresPool;
  readonly statements: Statements;
  readonly keepMs: number;
  readonly keyWindowMs: number;
}

/** How often a key is looked at that is freed and claimed by others all the time. */
const MAX_LOOKS = 10;
const CLAIM_LOST_TEXT = "the key was claimed and freed by others again and again";

function postgresEngine({ pool, statements, keepMs, keyWindowMs }: EngineParts): Engine {
  const slotMs = windowPartMs(keyWindowMs);
  const claim = createBatches<ClaimRow, boolean>({
    maxItems: MAX_ROWS,
    async send(claims) {
      const { rows } = await pool.query(statements.claim(keepMs, claims));
      const claimed = new Set(rows.map((row) => (row as { readonly fence: number }).fence));
      return claims.map(([, , , fence]) => claimed.has(fence));
    },
  });
  const settleClaim = createBatches<SettledRow, void>({
    maxItems: MAX_ROWS,
    lengthOf: ([, , outcome]) => outcome?.length ?? 0,
    async send(claims) {
      await pool.query(statements.settle(keepMs, claims));
      return [];
    },
  });
  const takeOver = (values: unknown[]) =>
    pool.query(statements.takeOver(values)).then(({ rows }) => rows.length > 0, lostRace);
  const findHold = () => pool.query(statements.readHold([])).then(readHoldRow, lostRace);
  return {
    async begin({ key, digest, owner, fence, deadlineMs, honoured, mayClaim }) {
      const values = [hexLiteral(key), hexLiteral(digest), hexLiteral(owner), fence, deadlineMs ?? null] as const;
      for (let looks = 0; looks < MAX_LOOKS; looks++) {
        // Most keys are new, so they are claimed before anything is looked up.
        if (mayClaim && (await claim([...values, honoured]).catch(lostRace))) return { state: "new", fence };
        const found = await pool
          .query(statements.find([hexLiteral(key), hexLiteral(digest)]))
          .then(readFound, lostRace);
        if (found === false) continue;
        if (!mayClaim && (found === undefined || found.state === "expired")) return { state: "absent" };
        const isTaken = found?.state === "expired" || (found?.state === "unknown" && honoured);
        if (isTaken && (await takeOver([...values, keepMs, honoured])))
          return { state: "new", fence, ...(found.state === "unknown" && { isTakenOver: true }) };
        if (!isTaken && found !== undefined) return found;
        const hold = !honoured && (await findHold());
        if (hold) return { state: "held", waitMs: hold.leftMs };
        // Others have freed it, or taken it over, since it was looked up.
      }
      throw new Error(CLAIM_LOST_TEXT);
    },
    async find(key, digest) {
      const found = readFound(await pool.query(statements.find([hexLiteral(key), hexLiteral(digest)])));
      return found === undefined || found.state === "expired" ? { state: "absent" } : found;
    },
    async settle(key, fence, outcome) {
      const settle = (text: string | null) => settleClaim([hexLiteral(key), fence, text]);
      if (outcome === undefined) await settle(null);
      // The call has ended, even if its outcome cannot be kept: a caller that repeats it learns that it took effect.
      else
        await settle(writeOutcomeText(outcome)).catch((cause: unknown) => {
          if (isDataError(cause)) return settle(null);
          throw cause;
        });
    },
    async release(key, fence) {
      const { rowCount } = await pool.query(statements.release([hexLiteral(key), fence]));
      return rowCount === 1;
    },
    async extend(key, fence, deadlineMs) {
      const { rows } = await pool.query(statements.extend([hexLiteral(key), fence, deadlineMs ?? null, keepMs]));
      return rows.length > 0;
    },
    async count(owner, keys) {
      const { rows } = await pool.query(statements.count([hexLiteral(owner), keys, slotMs, keyWindowMs + slotMs]));
      return rows.map((row) => {
        const { age_ms: ageMs, n } = row as { readonly age_ms: number; readonly n: number };
        return { ageMs, keys: n };
      });
    },
  };
}

/** What a statement fails with if another was faster, and transactions are stricter than "read committed". */
const SERIALIZATION_FAILURE = "40001";

/** Such a statement has changed nothing. */
function lostRace(cause: unknown): false {
  if ((cause as { readonly code?: unknown } | undefined)?.code === SERIALIZATION_FAILURE) return false;
  throw cause;
}

/** Hexadecimal text as PostgreSQL writes bytes. */
function hexLiteral(hex: string): string {
  return `\\x${hex}`;
}

/** What is known about a key; it is free again if it has expired. */
type FoundRow = Exclude<IdempotencyState, { readonly state: "new" }> | { readonly state: "expired" };

function readFound({ rows }: PostgresResult): FoundRow | undefined {
  const row = rows[0] as { readonly state: FoundRow["state"]; readonly outcome: string | null } | undefined;
  if (row === undefined) return undefined;
  if (row.state !== "settled") return { state: row.state };
  return { state: row.state, outcome: row.outcome === null ? undefined : readOutcomeText(row.outcome) };
}

/** Starts a deletion now and then, one at a time. */
function cleaner(
  work: () => Promise<unknown>,
  background: Background,
  options: PostgresIdempotencyOptions,
): () => void {
  const { deleteEveryMs = 60_000 } = options;
  let next = now() + deleteEveryMs;
  return () => {
    if (now() < next) return;
    next = Number.POSITIVE_INFINITY;
    const again = () => {
      next = now() + deleteEveryMs;
    };
    background.start(work().then(again, again));
  };
}

/** Options of `deleteExpired`. */
export interface DeleteExpiredOptions extends TableOptions {
  /** The most rows of one statement; others wait for its locks, so keep it small. @default 1_000 */
  readonly batch?: number;
  /** Ends the work after the statement that runs. @default none */
  readonly signal?: AbortSignal | undefined;
  /** How long one statement may take, in ms. @default 30_000 */
  readonly timeoutMs?: number;
}

/**
 * Deletes keys that are no longer remembered, in batches, until none is left, and what was counted too long ago to matter.
 * Returns how many keys. Several processes may do so at once.
 *
 * @example
 * setInterval(() => deleteExpired(pool), 60_000);
 */
export async function deleteExpired(pool: PostgresPool, options: DeleteExpiredOptions = {}): Promise<number> {
  checkNumbers("", options, { batch: { min: 1, whole: true }, timeoutMs: { min: 1, max: MAX_TIMER_MS } });
  const { batch = 1_000, signal, timeoutMs = 30_000, ...table } = options;
  const { deleteExpired: statement, deleteCounts } = createStatements({ ...table, prepare: false, timeoutMs });
  await pool.query(deleteCounts([]));
  let total = 0;
  while (signal?.aborted !== true) {
    const { rowCount } = await pool.query(statement([batch]));
    total += rowCount ?? 0;
    if ((rowCount ?? 0) < batch) break;
  }
  return total;
}

/** Options of `holdKeys`. */
export interface HoldOptions extends TableOptions {
  /** When keys are claimed again. Everything that ran before the restore must be out of its `keepMs` by then. */
  readonly until: Date;
}

/** How long one statement about a hold may take. */
const HOLD_TIMEOUT_MS = 30_000;

/**
 * Holds keys after the table was restored from a backup: calls since the backup are not in it, and would run again. Until the
 * time is over, every process refuses keys that are not in the table, with the wait. Known keys get their outcome. An upstream
 * that honours keys runs each once by itself, so its calls (`honoured`) pass. A second hold never shortens the first.
 *
 * @example
 * await holdKeys(pool, { until: new Date(Date.now() + 3_600_000) });
 */
export async function holdKeys(pool: PostgresPool, { until, ...table }: HoldOptions): Promise<void> {
  if (Number.isNaN(until.getTime())) throw new RangeError("until is not a time");
  const { hold } = createStatements({ ...table, prepare: false, timeoutMs: HOLD_TIMEOUT_MS });
  await pool.query(hold([until]));
}

/**
 * Until when keys are held; undefined if they are not.
 *
 * @example
 * const until = await readHold(pool);
 */
export async function readHold(pool: PostgresPool, table: TableOptions = {}): Promise<Date | undefined> {
  const { readHold: statement } = createStatements({ ...table, prepare: false, timeoutMs: HOLD_TIMEOUT_MS });
  return readHoldRow(await pool.query(statement([])))?.until;
}

/** The longest wait that is told, for a hold without an end. */
const MAX_HOLD_MS = 24 * 60 * 60_000;

function readHoldRow({ rows }: PostgresResult): { readonly until: Date; readonly leftMs: number } | undefined {
  const row = rows[0] as { readonly expires: Date | number; readonly left_ms: number } | undefined;
  if (row === undefined) return undefined;
  const leftMs = Math.min(Math.ceil(row.left_ms), MAX_HOLD_MS);
  // PostgreSQL knows an infinite time, and `Date` does not.
  return { until: row.expires instanceof Date ? row.expires : new Date(8.64e15), leftMs };
}

/** What a written outcome begins with. No JSON text begins with it. */
const ESCAPE_MARK = "\u0001";

/** An outcome as PostgreSQL can keep it: as it is, unless it contains the character 0, or begins like a written one. */
export function writeOutcomeText(outcome: string): string {
  return outcome.includes("\u0000") || outcome.startsWith(ESCAPE_MARK)
    ? ESCAPE_MARK + JSON.stringify(outcome)
    : outcome;
}

export function readOutcomeText(text: string): string {
  return text.startsWith(ESCAPE_MARK) ? (JSON.parse(text.slice(ESCAPE_MARK.length)) as string) : text;
}
