import type { Stores } from "../stores/open-stores.ts";
import { migrate, type SchemaPart } from "../stores/postgres.ts";

/** A decision or a change by an operator. */
export interface AuditEntry {
  /** Who: the id of the operator's key. */
  readonly by: string;
  /** What was done, such as `approval.approve` or `key.revoke`. */
  readonly action: string;
  /** What it was done to: an id. */
  readonly target: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** An entry as it was kept. */
interface AuditRow extends AuditEntry {
  readonly id: string;
  /** ISO 8601 time. */
  readonly at: string;
}

/** Who decided and changed what. Methods reject if the store is down. */
export interface Audit {
  record(entry: AuditEntry): Promise<void>;
  /** The newest first. */
  list(page: { readonly limit: number; readonly before?: string | undefined }): Promise<readonly AuditRow[]>;
}

/** How many entries are kept. */
const MAX_AUDIT_ENTRIES = 1_000;

/** An audit in this process: the last entries only, and none after a restart. */
export function memoryAudit(now: () => number = Date.now, maxEntries: number = MAX_AUDIT_ENTRIES): Audit {
  /** The newest last. */
  const rows: AuditRow[] = [];
  let last = 0;
  return {
    async record({ by, action, target, facts }) {
      last += 1;
      rows.push({ id: String(last), at: new Date(now()).toISOString(), by, action, target, facts: { ...facts } });
      if (rows.length > maxEntries) rows.shift();
    },
    async list({ limit, before }) {
      const older = before === undefined ? rows : rows.filter(({ id }) => Number(id) < Number(before));
      return older.slice(-limit).toReversed();
    },
  };
}

/** What the audit needs of a pool of PostgreSQL connections. */
interface AuditPool {
  query(statement: {
    readonly text: string;
    readonly values?: unknown[];
  }): Promise<{ readonly rows: readonly unknown[] }>;
}

/** What each version adds, in order. Entries are never changed. */
const AUDIT_TABLE_VERSIONS = [
  `create table gateway_audit (
    id bigint generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    actor text not null,
    action text not null,
    target text not null,
    facts jsonb not null
  );`,
] as const;

export const AUDIT_SCHEMA: SchemaPart = { part: "audit", versions: AUDIT_TABLE_VERSIONS };

/**
 * The audit of a database that all replicas share. Entries are added and read, never changed. It makes the table if it
 * is missing.
 */
export async function postgresAudit(pool: AuditPool): Promise<Audit> {
  await migrate(pool, [AUDIT_SCHEMA]);
  return {
    async record({ by, action, target, facts }) {
      await pool.query({
        text: "insert into gateway_audit (actor, action, target, facts) values ($1, $2, $3, $4)",
        values: [by, action, target, JSON.stringify(facts)],
      });
    },
    async list({ limit, before }) {
      const { rows } = await pool.query({
        text: `select id::text as id, at, actor, action, target, facts from gateway_audit
          where $2::bigint is null or id < $2::bigint order by gateway_audit.id desc limit $1`,
        values: [limit, before ?? null],
      });
      return rows.map((row) => readAuditRow(row as AuditDatabaseRow));
    },
  };
}

type AuditDatabaseRow = Omit<AuditRow, "at" | "by"> & { readonly at: Date; readonly actor: string };

function readAuditRow({ id, at, actor, action, target, facts }: AuditDatabaseRow): AuditRow {
  return { id, at: at.toISOString(), by: actor, action, target, facts };
}

/** Opens the audit of what operators decided and changed. */
export async function openAudit(stores: Stores): Promise<Audit | undefined> {
  return stores.mode === "memory" ? memoryAudit() : postgresAudit(stores.pool);
}
