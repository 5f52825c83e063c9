// All times are the database's. A row is live until it expires; its stored state is that of the last change.
// One binding has at most one row that is pending or denied. It can have several that are approved: one that was given
// back, and one that a person approved meanwhile. Each of them is good for one call.

import { migrate, type Pool, type SchemaPart } from "../stores/postgres.ts";

/** Uses one approval up. A denial that is newer than an approval wins. $1 binding, $2 call. */
export const TAKE_APPROVAL = `
  update gateway_approval set state = 'consumed', call = $2 where id = (
    select id from gateway_approval a
    where binding = $1 and state = 'approved' and expires > clock_timestamp()
      and not exists (
        select from gateway_approval d
        where d.binding = $1 and d.state = 'denied' and d.expires > clock_timestamp())
    order by expires, id limit 1 for update of a)
  returning id`;

/** The rows of a binding that decide about a call. $1 binding. */
export const LOOK_AT_APPROVALS = `
  select id, state, expires, expires > clock_timestamp() as is_live from gateway_approval
  where binding = $1 and state in ('pending', 'approved', 'denied')`;

/** Frees the place of a row that was pending or denied until it expired. $1 binding. */
export const RETIRE = `
  update gateway_approval set state = 'expired'
  where binding = $1 and state in ('pending', 'denied') and expires <= clock_timestamp()`;

/**
 * Asks for an approval, unless another call just did, or too many wait. $1 id, $2 binding, $3 … the request, $9, $10
 * the bounds.
 */
export const ASK = `
  select made_id as id, made_expires as expires, is_again, waiting from gateway_approval_ask($1, $2, $3, $4, $5, $6, $7,
    $8::float8, $9::int, $10::int)`;

/** The call never left: its approval may be used again. $1 call, $2 id. */
export const GIVE_BACK_APPROVAL = `
  update gateway_approval set state = 'approved', call = null
  where id = $2 and call = $1 and state = 'consumed' and expires > clock_timestamp()`;

/** The same for a call that never learnt whether it had an approval. $1 call, $2 binding. */
export const UNDO = `
  update gateway_approval set state = 'approved', call = null
  where binding = $2 and call = $1 and state = 'consumed' and expires > clock_timestamp()`;

const STATE = `case when state <> 'consumed' and expires <= clock_timestamp() then 'expired' else state end`;
/** Nobody decided in time: the arguments go at the next deletion, and are shown no more. */
const IS_MISSED = "decided is null and expires <= clock_timestamp()";
const SHOWN_ARGUMENTS = `case when ${IS_MISSED} then '' else arguments end`;
/** Rows that an older version decided have none; their state tells it until they expire. */
const DECISION = `coalesce(decision, case state when 'denied' then 'denied' when 'approved' then 'approved'
  when 'consumed' then 'approved' end)`;
const APPROVAL_COLUMNS = `id, ${STATE} as state, tenant, caller, tool, ${SHOWN_ARGUMENTS} as arguments, policy, created, expires, decided, decided_by, ${DECISION} as decision, note`;

/** $1 id. */
export const FIND_APPROVAL = `select ${APPROVAL_COLUMNS} from gateway_approval where id = $1`;

const FILTER = `($1::text is null or tenant = $1) and ($2::text is null or tool = $2) and ($3::text is null or caller = $3)`;
const NEWEST_FIRST = "and ($4::text is null or id < $4) order by id desc limit $5";

/** The newest first. $1 tenant, $2 tool, $3 caller, $4 the id after which to go on, $5 how many, $6 state. */
export const LIST = `
  select ${APPROVAL_COLUMNS} from gateway_approval
  where ${FILTER} and ($6::text is null or ${STATE} = $6) ${NEWEST_FIRST}`;

/** Those that a person decided, the newest first. $1 to $5 as above. */
export const LIST_DECIDED = `
  select ${APPROVAL_COLUMNS} from gateway_approval where ${FILTER} and decided is not null ${NEWEST_FIRST}`;

/** Those that wait, the next to expire first. $1 to $5 as above. */
export const LIST_PENDING = `
  select ${APPROVAL_COLUMNS} from gateway_approval
  where ${FILTER} and state = 'pending' and expires > clock_timestamp() and ($4::text is null or
    (expires, id) > (select last.expires, last.id from gateway_approval last where last.id = $4))
  order by expires, id limit $5`;

/** How many wait, and how long the oldest does. Of very many, the next to expire are counted. $1 how many at most. */
export const COUNT_PENDING = `
  select count(*)::int as count, coalesce(extract(epoch from clock_timestamp() - min(created)) * 1000, 0)::float8 as oldest_ms
  from (
    select created from gateway_approval where state = 'pending' and expires > clock_timestamp()
    order by expires, id limit $1) as waiting`;

/** Decides what nobody decided yet. $1 id, $2 state, $3 who, $4 why. */
export const DECIDE = `
  update gateway_approval set state = $2, decision = $2, decided = clock_timestamp(), decided_by = $3, note = $4
  where id = $1 and state = 'pending' and expires > clock_timestamp()
  returning ${APPROVAL_COLUMNS}`;

/** $1 how long rows are kept after they expired, in ms; $2 the same for what nobody decided; $3 how many. */
export const DELETE_OLD = `
  delete from gateway_approval where id in (
    select id from gateway_approval
    where expires < clock_timestamp() - $2::float8 * interval '1 ms'
      and (decided is null or expires < clock_timestamp() - $1::float8 * interval '1 ms')
    limit $3 for update skip locked)`;

/** Deletes the arguments of what nobody decided. $1 how many rows. */
export const DROP_ARGUMENTS = `
  update gateway_approval set arguments = '' where id in (
    select id from gateway_approval where ${IS_MISSED} and arguments <> '' limit $1 for update skip locked)`;

/** What each version adds, in order. Entries are never changed. */
const APPROVAL_TABLE_VERSIONS = [
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
  `alter table gateway_approval add column decision text, add column note text;
  create index gateway_approval_decided on gateway_approval (caller, tool, id) where decided is not null;
  create index gateway_approval_waiting on gateway_approval (expires, id) where state = 'pending';`,
] as const;

export const APPROVAL_SCHEMA: SchemaPart = { part: "approvals", versions: APPROVAL_TABLE_VERSIONS };

export function createApprovalTable(pool: Pool): Promise<void> {
  return migrate(pool, [APPROVAL_SCHEMA]);
}
