import type { IdempotencyState } from "@recourse/faults/server";
import type { Background } from "../shared/background.ts";
import { partMsOf } from "../shared/caller-share.ts";
import {
  backgroundOf,
  DEFAULT_TIMEOUT_MS,
  DEFAULT_TTL_MS,
  type Engine,
  now,
  type SharedIdempotencyStore,
  type SharedStoreOptions,
  sharedStore,
} from "../shared/shared-store.ts";
import { isDataError } from "./data-error.ts";
import { deleteExpired } from "./delete-expired.ts";
import { readOutcomeText, writeOutcomeText } from "./outcome-text.ts";
import type { PostgresPool, PostgresQuery, PostgresResult } from "./pool.ts";
import type { TableOptions } from "./schema.ts";
import { type Statements, statementsOf } from "./statements.ts";

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
 * const idempotency = postgresIdempotency({ pool });
 * guard(server, { idempotency });
 */
export function postgresIdempotency(options: PostgresIdempotencyOptions): SharedIdempotencyStore {
  const { pool, table, prepare = true, ttlMs = DEFAULT_TTL_MS, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const names = table === undefined ? {} : { table };
  const statements = statementsOf({ ...names, prepare, timeoutMs });
  const background = backgroundOf(options);
  const engine = postgresEngine({ pool, statements, ttlMs, keyWindowMs: options.keyWindowMs ?? ttlMs });
  const clean = cleaner(() => deleteExpired(pool, { ...names, signal: background.closing }), background, options);
  return sharedStore({ ...engine, begin: (claim) => engine.begin(claim).finally(clean) }, options, background);
}

interface EngineParts {
  readonly pool: PostgresPool;
  readonly statements: Statements;
  readonly ttlMs: number;
  readonly keyWindowMs: number;
}

/** How often a key is looked at that is freed and claimed by others all the time. */
const MAX_LOOKS = 10;
const NEVER = "the key was claimed and freed by others again and again";

function postgresEngine({ pool, statements, ttlMs, keyWindowMs }: EngineParts): Engine {
  const slotMs = partMsOf(keyWindowMs);
  return {
    async begin({ key, digest, owner, fence, deadlineMs, honoured, mayClaim }) {
      const row = [bytes(key), bytes(digest), bytes(owner), fence, deadlineMs ?? null, ttlMs];
      const run = (query: PostgresQuery) => pool.query(query).then(({ rows }) => rows.length > 0, lostRace);
      for (let looks = 0; looks < MAX_LOOKS; looks++) {
        // Most keys are new, so they are claimed before anything is looked up.
        if (mayClaim && (await run(statements.claim(row)))) return { state: "new", fence };
        const found = await pool.query(statements.find([bytes(key), bytes(digest)])).then(foundIn, lostRace);
        if (found === false) continue;
        if (!mayClaim && (found === undefined || found.state === "expired")) return { state: "absent" };
        const isTaken = found?.state === "expired" || (found?.state === "unknown" && honoured);
        if (isTaken && (await run(statements.takeOver([...row, honoured])))) return { state: "new", fence };
        if (!isTaken && found !== undefined) return found;
        // Others have freed it, or taken it over, since it was looked up.
      }
      throw new Error(NEVER);
    },
    async find(key, digest) {
      const found = foundIn(await pool.query(statements.find([bytes(key), bytes(digest)])));
      return found === undefined || found.state === "expired" ? { state: "absent" } : found;
    },
    async settle(key, fence, outcome) {
      const settle = (text: string | null) => pool.query(statements.settle([bytes(key), fence, text, ttlMs]));
      if (outcome === undefined) await settle(null);
      // The call has ended, also where its outcome cannot be kept: who repeats it learns that it took effect.
      else
        await settle(writeOutcomeText(outcome)).catch((cause: unknown) => {
          if (isDataError(cause)) return settle(null);
          throw cause;
        });
    },
    async release(key, fence) {
      const { rowCount } = await pool.query(statements.release([bytes(key), fence]));
      return rowCount === 1;
    },
    async count(owner, keys) {
      const { rows } = await pool.query(statements.count([bytes(owner), keys, slotMs, keyWindowMs + slotMs]));
      return rows.map((row) => {
        const { age_ms: ageMs, n } = row as { readonly age_ms: number; readonly n: number };
        return { ageMs, keys: n };
      });
    },
  };
}

/** What a statement fails with where another was faster, and transactions are stricter than "read committed". */
const SERIALIZATION_FAILURE = "40001";

/** Such a statement has changed nothing. */
function lostRace(cause: unknown): false {
  if ((cause as { readonly code?: unknown } | undefined)?.code === SERIALIZATION_FAILURE) return false;
  throw cause;
}

/** Hexadecimal text as PostgreSQL writes bytes. */
function bytes(hex: string): string {
  return `\\x${hex}`;
}

/** What is known about a key; it is free again where it has expired. */
type Found = Exclude<IdempotencyState, { readonly state: "new" }> | { readonly state: "expired" };

function foundIn({ rows }: PostgresResult): Found | undefined {
  const row = rows[0] as { readonly state: Found["state"]; readonly outcome: string | null } | undefined;
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
