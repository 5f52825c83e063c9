// One key per claim, so that every script works on a cluster. Its value is text, since that takes the least memory:
//   r:<digest>:<fence>:<deadline in ms, or nothing>   the call runs
//   s:<digest>:<outcome>                              it has ended
//   n:<digest>:                                       it has ended, and its outcome was too long

const READ = `
local value = redis.call('GET', KEYS[1])
local state, digest, rest
if value then state, digest, rest = string.match(value, '^(%a):([^:]*):(.*)$') end
`;

/** The server's clock, in ms. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** Whether the running claim is the one with the fence in ARGV[1]. */
const IS_MINE = `state == 'r' and string.match(rest, '^(%d+):') == ARGV[1]`;

/** What is known about the key, where ARGV[1] is the digest. Goes on where it is not known, or unknown how it ended. */
const LOOK = `${READ}
local fence, till
if value then
  if digest ~= ARGV[1] then return { 'other' } end
  if state == 's' then return { 'settled', rest } end
  if state == 'n' then return { 'settled' } end
  fence, till = string.match(rest, '^(%d+):(.*)$')`;

/** Goes on where the deadline of the claim is over. */
const IS_RUNNING = `${NOW}
  if till == '' or now < tonumber(till) then return { 'running' } end`;

/** The scripts. They answer with one of the words of `IdempotencyState`. */
export const SCRIPTS = {
  // ARGV: digest, fence, lease in ms or nothing, ms to keep it after that, honoured (1 or 0), whether it may be claimed
  begin: `${LOOK}
  -- The client has sent the same claim twice.
  if fence == ARGV[2] then return { 'new' } end
  ${IS_RUNNING}
  if ARGV[5] ~= '1' then return { 'unknown' } end
elseif ARGV[6] ~= '1' then return { 'absent' } end
local claim = 'r:' .. ARGV[1] .. ':' .. ARGV[2] .. ':'
if ARGV[3] == '' then redis.call('SET', KEYS[1], claim) else
  ${NOW}
  local till = now + tonumber(ARGV[3])
  redis.call('SET', KEYS[1], claim .. string.format('%.0f', till), 'PXAT', string.format('%.0f', till + tonumber(ARGV[4])))
end
return { 'new' }`,
  // ARGV: digest
  find: `${LOOK}
  ${IS_RUNNING}
  return { 'unknown' }
end
return { 'absent' }`,
  // ARGV: fence, ms to keep it, outcome or nothing
  settle: `${READ}
if ${IS_MINE} then
  local text = ARGV[3] and ('s:' .. digest .. ':' .. ARGV[3]) or ('n:' .. digest .. ':')
  redis.call('SET', KEYS[1], text, 'PX', ARGV[2])
end`,
  // ARGV: fence. Answers with 1 where it was claimed.
  release: `${READ}
if ${IS_MINE} then return redis.call('DEL', KEYS[1]) end
return 0`,
} as const satisfies Record<string, string>;
