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
  // The lock makes the calls of one caller count one after the other; each statement of the function sees what those before
  // it have committed. The same binding is asked for once, so a row may be missing although there is room.
  `create index gateway_approval_missed on gateway_approval (expires) where decided is null and arguments <> '';
  create function gateway_approval_ask(new_id text, new_binding bytea, new_tenant text, new_caller text, new_tool text,
    new_arguments text, new_policy text, expires_ms float8, most_calls int, most_bytes int,
    out made_id text, out made_expires timestamptz, out is_again boolean, out waiting jsonb)
  language plpgsql as $ask$
  begin
    perform pg_advisory_xact_lock(727861738, hashtext(new_caller));
    is_again := exists (select from gateway_approval where binding = new_binding);
    insert into gateway_approval (id, binding, tenant, caller, tool, arguments, policy, expires)
    select new_id, new_binding, new_tenant, new_caller, new_tool, new_arguments, new_policy,
      clock_timestamp() + expires_ms * interval '1 ms'
    from (
      select count(*) as calls, coalesce(sum(octet_length(arguments)), 0) as bytes from gateway_approval
      where caller = new_caller and state = 'pending' and expires > clock_timestamp()) as held
    where calls < most_calls and bytes + octet_length(new_arguments) <= most_bytes
    on conflict (binding) where state in ('pending', 'denied') do nothing
    returning id, expires into made_id, made_expires;
    if made_id is null then
      select jsonb_agg(jsonb_build_object('bytes', octet_length(arguments),
        'leftMs', extract(epoch from expires - clock_timestamp()) * 1000)) into waiting
      from gateway_approval where caller = new_caller and state = 'pending' and expires > clock_timestamp();
    end if;
  end $ask$;`,
] as const;

/** Makes the table of the approvals, or brings it up to date. */
export function createApprovalTable(pool: ApprovalPool): Promise<void> {
  return migrate(pool, "approvals", VERSIONS);
}
