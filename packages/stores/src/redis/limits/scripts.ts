// A bucket is one hash:
//   l          tokens in the bucket at the time t; a fraction grows towards the next one
//   t          µs by the server's clock
//   r          µs at which it was made, and one more for each token that was given back
//   h:<name>   what one process holds: "<tokens> <µs at which they end> <number of its request>"
//
// Two rules make sure that no window of w seconds admits more than burst + rate × w, whatever processes do:
//   1. Tokens in the bucket and tokens on record with processes are never more than the burst, at any moment. So the
//      bucket grows only up to what is left beside the record, and what was on record counts until the moment it ended.
//   2. A bucket that is not known holds at most what can have grown since the server started and since tokens from before
//      that moment have ended.

const SERVER_TIME_US = `
local time = redis.call('TIME')
local now = time[1] * 1e6 + time[2]
`;

/**
 * Takes tokens for a call, leases tokens to a process, and takes leased ones back.
 *
 * KEYS: buckets of one slot. ARGV: process, number of this request, ms that a lease lasts; then for each bucket: rate
 * per second, burst, need (tokens for the call: all buckets give them, or none), want (tokens to lease besides), held
 * (what the process holds; -1 leaves its record alone), give (tokens that it returns). Answers with: 1 if the needs are
 * given, else 0; the time in µs; then for each bucket: tokens leased, ms to wait if it has too few for the need,
 * millionths of tokens that existed before, and the field r.
 */
const TAKE = `${SERVER_TIME_US}
local me, request, ttl = 'h:' .. ARGV[1], tonumber(ARGV[2]), ARGV[3] * 1000
local rows, given = {}, 1
for i, key in ipairs(KEYS) do
  local at = 6 * i - 2
  local rate, burst, need = ARGV[at] / 1e6, tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
  local want, held, give = tonumber(ARGV[at + 3]), tonumber(ARGV[at + 4]), tonumber(ARGV[at + 5])
  local level, since, returned = nil, now, nil
  local others, mine, ended, endedAt = 0, 0, 0, 0
  local fields = redis.call('HGETALL', key)
  for f = 1, #fields, 2 do
    local name, value = fields[f], fields[f + 1]
    if name == 'l' then level = tonumber(value)
    elseif name == 't' then since = tonumber(value)
    elseif name == 'r' then returned = tonumber(value)
    else
      local tokens, till, number = string.match(value, '^(%d+) (%d+) (%d+)$')
      tokens, till = tonumber(tokens), tonumber(till)
      if till <= now then
        ended, endedAt = ended + tokens, math.max(endedAt, till)
        redis.call('HDEL', key, name)
      elseif name == me then
        mine = tokens
        -- A request that was overtaken by a later one of the same process says what was true before.
        if tonumber(number) >= request then want, held, give = 0, -1, 0 end
      else others = others + tokens end
    end
  end
  if not level then
    -- Age in whole seconds, of which one may just have begun.
    local age = string.match(redis.call('INFO', 'server'), 'uptime_in_seconds:(%d+)') - 1
    level = math.min(burst, rate * math.max(0, age * 1e6 - ttl))
    returned = now
    redis.call('HSET', key, 'r', string.format('%.0f', now))
  end
  local restates = held >= 0
  if not restates then held = mine end
  -- After a restart a process may hold tokens that are not on record.
  local live = others + math.max(mine, held)
  if endedAt > since then
    level = math.min(burst - live - ended, level + rate * (endedAt - since))
    since = endedAt
  end
  level = math.max(0, math.min(burst - live, level + rate * math.max(0, now - since)))
  local existing = level + live
  -- Nobody returns what is not on record.
  if restates then level = level + math.min(give, math.max(0, mine - held)) end
  local wait = 0
  if level < need then
    wait = math.max(1, math.ceil((need - level) / rate / 1000))
    given = 0
  end
  rows[i] = { key = key, level = level, since = math.max(now, since), rate = rate, burst = burst, need = need, want = want,
    held = held, others = others, mine = mine, restates = restates, wait = wait, existing = existing, returned = returned }
end
local answer = { given, now }
for _, row in ipairs(rows) do
  local level, lease = row.level, 0
  if given == 1 then level = level - row.need end
  if row.want > 0 and row.wait == 0 then
    -- At most half of what others leave, so that no process takes the whole bucket.
    local share = math.floor((row.burst - row.others - row.need) / 2) - row.held
    lease = math.max(0, math.min(row.want, math.floor(level), share))
  end
  redis.call('HSET', row.key, 'l', string.format('%.9f', level - lease), 't', string.format('%.0f', row.since))
  if row.restates then
    local keep = row.held + lease
    if keep > 0 then redis.call('HSET', row.key, me, string.format('%d %.0f %d', keep, now + ttl, request))
    elseif row.mine > 0 then redis.call('HDEL', row.key, me) end
  end
  -- Full by then, so that it may be forgotten.
  redis.call('PEXPIRE', row.key, math.ceil(row.burst / row.rate / 1000 + ttl / 1000) + 1000)
  answer[#answer + 1] = lease
  answer[#answer + 1] = row.wait
  answer[#answer + 1] = math.ceil(row.existing * 1e6)
  answer[#answer + 1] = row.returned
end
return answer`;

/**
 * Gives back tokens that were taken for a call which is not made. They are on no record, so the bucket may have grown full
 * in the meantime. All tokens that existed when they were taken, all that have grown since and all that were given back
 * since have to fit into the burst together: what does not fit is lost.
 *
 * KEYS: buckets of one slot.
 * ARGV: the time in µs of the answer that gave them; then for each bucket: rate per second, burst, tokens, and from that
 * answer the millionths of tokens that existed before and the field r.
 */
const GIVE_BACK = `${SERVER_TIME_US}
local grown = math.max(0, now - ARGV[1])
for i, key in ipairs(KEYS) do
  local at = 5 * i - 3
  local tokens, existed = tonumber(ARGV[at + 2]), ARGV[at + 3] / 1e6
  local found = redis.call('HMGET', key, 'l', 'r')
  if found[1] then
    -- A bucket that was made since then has a much larger r, and takes nothing back.
    local returned = found[2] - ARGV[at + 4]
    local beyond = math.max(0, existed + ARGV[at] / 1e6 * grown + returned - ARGV[at + 1])
    if returned >= 0 and beyond < tokens then
      local level = found[1] + tokens - beyond
      redis.call('HSET', key, 'l', string.format('%.9f', level), 'r', string.format('%.0f', found[2] + tokens))
    end
  end
end`;

/** Whether the server answers for a key. KEYS: the key. */
const PROBE = "return redis.call('EXISTS', KEYS[1])";

/** What the server does when its memory is full; an error if the process may not read it. KEYS: any key of the node. */
const POLICY = `
redis.call('INFO', 'server')
return string.match(redis.call('INFO', 'memory'), 'maxmemory_policy:([%w-]+)') or ''`;

export const LIMIT_SCRIPTS = {
  take: TAKE,
  giveBack: GIVE_BACK,
  probe: PROBE,
  policy: POLICY,
} as const satisfies Record<string, string>;
