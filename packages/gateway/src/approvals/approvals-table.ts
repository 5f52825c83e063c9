import { migrate } from "../stores/migrate.ts";

/** What approvals need of a pool of PostgreSQL connections. */
export interface ApprovalPool {
  query(statement: {
    readonly text: string;
    readonly values?: unknown[];
  }): Promise<{ readonly rows: readonly unknown[]; readonly rowCount: number | null }>;
}

/** What each version adds, in order. Entries are never changed. */
const VERSIONS = [
  `create table gateway_approval (
    id text collate "C" primary key,
    binding bytea not null,
    state text not null default 'pending',
    tenant text not null,
    caller text not null,
    tool text not null,
    arguments text not null,
    policy text not null,
    created timestamptz not null default clock_timestamp(),
    expires timestamptz not null,
    decided timestamptz,
    decided_by text,
    call text
  );
  create unique index gateway_approval_open on gateway_approval (binding) where state in ('pending', 'denied');
  create index gateway_approval_binding on gateway_approval (binding);
  create index gateway_approval_caller on gateway_approval (caller) where state = 'pending';
  create index gateway_approval_expires on gateway_approval (expires);`,
] as const;

/** Makes the table of the approvals, or brings it up to date. */
export function createApprovalTable(pool: ApprovalPool): Promise<void> {
  return migrate(pool, "approvals", VERSIONS);
}
