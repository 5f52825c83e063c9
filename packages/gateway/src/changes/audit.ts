import type { Pool } from "../stores/postgres.ts";

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

/**
 * The audit of a database that all replicas share. Entries are added and read, never changed. Its table was made by
 * `createChangeTables`.
 */
export function postgresAudit(pool: Pool): Audit {
  return {
    async record({ by, action, target, facts }) {
      await pool.query({
        text: `insert into gateway_event (at, kind, what, target, actor, facts)
          values (clock_timestamp(), 'operator', $2, $3, $1, $4)`,
        values: [by, action, target, JSON.stringify(facts)],
      });
    },
    async list({ limit, before }) {
      const { rows } = await pool.query<Omit<AuditRow, "at"> & { readonly at: Date }>({
        text: `select id::text as id, at, actor as by, what as action, target, facts from gateway_event
          where kind = 'operator' and ($2::bigint is null or id < $2::bigint) order by gateway_event.id desc limit $1`,
        values: [limit, before ?? null],
      });
      return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
    },
  };
}
