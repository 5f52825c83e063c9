// All times are the database's. A row is live until it expires; its stored state is that of the last change.
// One binding has at most one row that is pending or denied. It can have several that are approved: one that was given
// back, and one that a person approved meanwhile. Each of them is good for one call.

/** Uses one approval up. A denial that is newer than an approval wins. $1 binding, $2 call. */
export const TAKE = `
  update gateway_approval set state = 'consumed', call = $2 where id = (
    select id from gateway_approval a
    where binding = $1 and state = 'approved' and expires > clock_timestamp()
      and not exists (
        select from gateway_approval d
        where d.binding = $1 and d.state = 'denied' and d.expires > clock_timestamp())
    order by expires, id limit 1 for update of a)
  returning id`;

/** The rows of a binding that decide about a call. $1 binding. */
export const LOOK = `
  select id, state, expires, expires > clock_timestamp() as is_live from gateway_approval
  where binding = $1 and state in ('pending', 'approved', 'denied')`;

/** Frees the place of a row that was waited for, or that denied, until it expired. $1 binding. */
export const RETIRE = `
  update gateway_approval set state = 'expired'
  where binding = $1 and state in ('pending', 'denied') and expires <= clock_timestamp()`;

/** Asks for an approval, unless somebody else just did, or too many wait. $1 id, $2 binding, $3 … the request, $9, $10 the bounds. */
export const ASK = `
  select made_id as id, made_expires as expires, is_again, waiting from gateway_approval_ask($1, $2, $3, $4, $5, $6, $7,
    $8::float8, $9::int, $10::int)`;

/** The call never left: its approval may be used again. $1 call, $2 id. */
export const GIVE_BACK = `
  update gateway_approval set state = 'approved', call = null
  where id = $2 and call = $1 and state = 'consumed' and expires > clock_timestamp()`;

/** The same for a call that never learnt whether it had an approval. $1 call, $2 binding. */
export const UNDO = `
  update gateway_approval set state = 'approved', call = null
  where binding = $2 and call = $1 and state = 'consumed' and expires > clock_timestamp()`;

const STATE = `case when state <> 'consumed' and expires <= clock_timestamp() then 'expired' else state end`;
/** Nobody decided in time: the arguments go at the next deletion, and are shown no more. */
const IS_MISSED = "decided is null and expires <= clock_timestamp()";
const ARGUMENTS = `case when ${IS_MISSED} then '' else arguments end`;
const COLUMNS = `id, ${STATE} as state, tenant, caller, tool, ${ARGUMENTS} as arguments, policy, created, expires, decided, decided_by`;

/** $1 id. */
export const FIND = `select ${COLUMNS} from gateway_approval where id = $1`;

/** The newest first. $1 state, $2 tenant, $3 the id before which to begin, $4 how many. */
export const LIST = `
  select ${COLUMNS} from gateway_approval
  where ($1::text is null or ${STATE} = $1) and ($2::text is null or tenant = $2) and ($3::text is null or id < $3)
  order by id desc limit $4`;

/** Decides what nobody decided yet. $1 id, $2 state, $3 who. */
export const DECIDE = `
  update gateway_approval set state = $2, decided = clock_timestamp(), decided_by = $3
  where id = $1 and state = 'pending' and expires > clock_timestamp()
  returning ${COLUMNS}`;

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
