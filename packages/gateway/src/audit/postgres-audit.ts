import { migrate } from "../stores/migrate.ts";
import type { Audit, AuditRow } from "./audit.ts";

/** What the audit needs of a pool of PostgreSQL connections. */
export interface AuditPool {
  query(statement: {
    readonly text: string;
    readonly values?: unknown[];
  }): Promise<{ readonly rows: readonly unknown[] }>;
}

/** What each version adds, in order. Entries are never changed. */
const VERSIONS = [
  `create table gateway_audit (
    id bigint generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    actor text not null,
    action text not null,
    target text not null,
    facts jsonb not null
  );`,
] as const;

/** The audit of a database that all replicas share. Entries are added and read, never changed. It makes the table where there is none. */
export async function postgresAudit(pool: AuditPool): Promise<Audit> {
  await migrate(pool, "audit", VERSIONS);
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
      return rows.map((row) => rowIn(row as Row));
    },
  };
}

type Row = Omit<AuditRow, "at" | "by"> & { readonly at: Date; readonly actor: string };

function rowIn({ id, at, actor, action, target, facts }: Row): AuditRow {
  return { id, at: at.toISOString(), by: actor, action, target, facts };
}
