// A breaker is one hash; none means closed:
//   s   open, or half: a probe is under way
//   n   how often it was opened in a row
//   u   ms by the server's clock: until then nothing is sent (open), or the probe is waited for (half)
//   b   the token of the probe
//
// All scripts have KEYS: the hash; ARGV: random number in [0, 1), first pause, longest pause, channel, message; then
// their own. They answer with: state (closed, open, half), how often it was opened, ms that are left, and 1 for a probe.
// Each may run twice in a row, as if it ran once.

const READ = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local found = redis.call('HMGET', KEYS[1], 's', 'n', 'u', 'b')
local state, trips, till, by = found[1] or 'closed', tonumber(found[2] or 0), tonumber(found[3] or 0), found[4]
-- The probe was not heard of again, so the next call may be one.
if state == 'half' and till <= now then state = 'open' end
local probe = 0

local function change(to, ms)
  state, till = to, now + math.ceil(ms)
  if to == 'closed' then redis.call('DEL', KEYS[1]) else
    redis.call('HSET', KEYS[1], 's', to, 'n', trips, 'u', string.format('%.0f', till))
    -- An upstream that nobody calls any more is forgotten.
    redis.call('PEXPIRE', KEYS[1], till - now + 600000)
  end
  -- A user of Redis without the right to publish has slower news, but breakers.
  redis.pcall('PUBLISH', ARGV[4], ARGV[5])
end

local function open(times)
  trips = times
  local pause = math.min(ARGV[2] * 2 ^ math.min(times - 1, 30), math.max(ARGV[3], ARGV[2]))
  redis.call('HDEL', KEYS[1], 'b')
  change('open', pause * (0.5 + 0.5 * ARGV[1]))
end
`;

const ANSWER = `
return { state, trips, math.max(0, till - now), probe }`;

/** The scripts. */
export const BREAKER_SCRIPTS = {
  /** What is known. */
  look: `${READ}${ANSWER}`,
  /** A replica has counted enough failures. */
  trip: `${READ}
if state == 'closed' then open(1) end${ANSWER}`,
  /** A call would like to be the probe. ARGV: its token, ms after which it is not waited for any longer. */
  ask: `${READ}
if state == 'open' and till <= now then
  redis.call('HSET', KEYS[1], 'b', ARGV[6])
  change('half', ARGV[7])
  by = ARGV[6]
end
-- The same call may have asked before, and not heard the answer.
if state == 'half' and by == ARGV[6] then probe = 1 end${ANSWER}`,
  /** A probe has ended. ARGV: its token, what it showed. */
  tell: `${READ}
if state == 'half' and by == ARGV[6] then
  if ARGV[7] == 'success' then change('closed', 0)
  elseif ARGV[7] == 'failure' then open(trips + 1)
  else change('open', 0) end
end${ANSWER}`,
  /** An operator closes it. */
  reset: `${READ}
change('closed', 0)${ANSWER}`,
} as const satisfies Record<string, string>;
