// A breaker is one hash; none means closed:
//   s   open, half: a probe is under way, or closed a moment ago
//   n   how often it was opened in a row
//   u   ms by the server's clock: until then nothing is sent (open), or the wait for the probe lasts (half)
//   b   the token of the probe
//   t   ms by the server's clock: since then it is closed, or not; all replicas know a change by it
//   p   how long the pause is, in ms
//
// All scripts have KEYS: the hash; ARGV: random number in [0, 1), first pause, longest pause, channel, message; then
// their own. They answer with: state (closed, open, half), how often it was opened, ms that are left, 1 for a probe, t and p.
// Each may run twice in a row, as if it ran once.

import type { BreakerRules, BreakerSignal } from "@recourse/core/retry";
import { race, sleep } from "@recourse/core/wire";
import { type RunScript, redisScript } from "@recourse/stores/redis";
import { AwayGate } from "../stores/away-gate.ts";
import type { Redis } from "../stores/redis.ts";
import { readScope } from "./breakers.ts";

const READ_STATE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local found = redis.call('HMGET', KEYS[1], 's', 'n', 'u', 'b', 't', 'p')
local state, trips, till, by = found[1] or 'closed', tonumber(found[2] or 0), tonumber(found[3] or 0), found[4]
local since, pause = tonumber(found[5] or 0), tonumber(found[6] or 0)
-- The probe was not heard of again, so the next call may be one.
if state == 'half' and till <= now then state = 'open' end
local probe = 0

local function change(to, ms)
  if (to == 'closed') ~= (state == 'closed') then since = now end
  state, till = to, now + math.ceil(ms)
  if to == 'closed' then
    redis.call('DEL', KEYS[1])
    if since > 0 then
      -- Every replica has time to learn when it was closed.
      redis.call('HSET', KEYS[1], 's', to, 't', string.format('%.0f', since))
      redis.call('PEXPIRE', KEYS[1], 600000)
    end
  else
    redis.call('HSET', KEYS[1], 's', to, 'n', trips, 'u', string.format('%.0f', till),
      't', string.format('%.0f', since), 'p', string.format('%.0f', pause))
    -- An upstream that nobody calls any more is forgotten.
    redis.call('PEXPIRE', KEYS[1], till - now + 600000)
  end
  -- A user of Redis without the right to publish has slower news, but breakers.
  redis.pcall('PUBLISH', ARGV[4], ARGV[5])
end

local function open(times)
  trips = times
  local longest = math.min(ARGV[2] * 2 ^ math.min(times - 1, 30), math.max(ARGV[3], ARGV[2]))
  redis.call('HDEL', KEYS[1], 'b')
  pause = math.ceil(longest * (0.5 + 0.5 * ARGV[1]))
  change('open', pause)
end
`;

const ANSWER = `
return { state, trips, math.max(0, till - now), probe, since, pause }`;

const BREAKER_SCRIPTS = {
  look: `${READ_STATE}${ANSWER}`,
  /** A replica has counted enough failures. */
  trip: `${READ_STATE}
if state == 'closed' then open(1) end${ANSWER}`,
  /** A call would like to be the probe. ARGV: its token, ms after which the wait for it ends. */
  ask: `${READ_STATE}
if state == 'open' and till <= now then
  redis.call('HSET', KEYS[1], 'b', ARGV[6])
  change('half', ARGV[7])
  by = ARGV[6]
end
-- The same call may have asked before, and not heard the answer.
if state == 'half' and by == ARGV[6] then probe = 1 end${ANSWER}`,
  /** A probe has ended. ARGV: its token, what it showed. */
  tell: `${READ_STATE}
if state == 'half' and by == ARGV[6] then
  if ARGV[7] == 'success' then change('closed', 0)
  elseif ARGV[7] == 'failure' then open(trips + 1)
  else change('open', 0) end
end${ANSWER}`,
  reset: `${READ_STATE}
change('closed', 0)${ANSWER}`,
} as const satisfies Record<string, string>;

export interface SharedBreaker {
  readonly at: "closed" | "open" | "half-open";
  /** How often it was opened in a row. */
  readonly trips: number;
  /** The rest of the pause, or of the time of the probe. */
  readonly restMs: number;
  readonly isProbe: boolean;
  /** Since when it is closed, or not, in ms by the clock of Redis. @default it is not known */
  readonly sinceMs?: number | undefined;
  /** How long the whole pause is. @default it is not known */
  readonly pauseMs?: number | undefined;
}

interface BreakerServerOptions {
  readonly redis: Pick<Redis, "eval" | "evalSha">;
  readonly rules: BreakerRules;
  /** A random number in [0, 1). */
  readonly random: () => number;
  readonly onSwitch: (state: "away" | "back", cause?: unknown) => void;
  /** How long a command may take; it is sent twice. @default 250 */
  readonly timeoutMs?: number;
}

/** Messages on this channel name the breaker that has changed. */
export const BREAKER_CHANNEL = "recourse:breakers";

/** Only calls to an upstream that fails wait for an answer, so more is allowed than for limits. */
const BREAKER_TIMEOUT_MS = 250;

const SHARED_STATES = { closed: "closed", open: "open", half: "half-open" } as const satisfies Readonly<
  Record<string, SharedBreaker["at"]>
>;

/** The key of a breaker. An upstream and its tools are in one slot of a cluster. */
export function breakerKey(id: string): string {
  const { upstream, tool } = readScope(id);
  return `recourse:breaker:{${upstream}}${tool === undefined ? "" : `:${tool}`}`;
}

/** The breakers in Redis. Its methods give undefined while Redis is down; none of them rejects. */
export class BreakerServer {
  readonly #options: BreakerServerOptions;
  readonly #scripts: Readonly<Record<keyof typeof BREAKER_SCRIPTS, RunScript>>;
  readonly #gate: AwayGate;
  #failedAt = "";

  constructor(options: BreakerServerOptions) {
    const { redis, onSwitch, timeoutMs = BREAKER_TIMEOUT_MS } = options;
    this.#options = options;
    const script = (name: keyof typeof BREAKER_SCRIPTS) => redisScript(redis, BREAKER_SCRIPTS[name]);
    this.#scripts = {
      look: script("look"),
      trip: script("trip"),
      ask: script("ask"),
      tell: script("tell"),
      reset: script("reset"),
    };
    // The node that failed is asked: others of a cluster may be well.
    const probe = () => this.#send("look", this.#failedAt, []);
    this.#gate = new AwayGate({ probe, onSwitch, timeoutMs: 3 * timeoutMs });
  }

  get isAway(): boolean {
    return this.#gate.isAway;
  }

  look(id: string): Promise<SharedBreaker | undefined> {
    return this.#run("look", id);
  }

  /** This replica has counted enough failures. */
  trip(id: string): Promise<SharedBreaker | undefined> {
    return this.#run("trip", id);
  }

  ask(id: string, token: string, leaseMs: number): Promise<SharedBreaker | undefined> {
    return this.#run("ask", id, token, String(Math.ceil(leaseMs)));
  }

  tell(id: string, token: string, signal: BreakerSignal): Promise<SharedBreaker | undefined> {
    return this.#run("tell", id, token, signal);
  }

  reset(id: string): Promise<SharedBreaker | undefined> {
    return this.#run("reset", id);
  }

  close(): void {
    this.#gate.close();
  }

  async #run(name: keyof typeof BREAKER_SCRIPTS, id: string, ...own: string[]) {
    try {
      return await this.#gate.run(() => this.#sendTwice(name, id, own));
    } catch {
      this.#failedAt = id;
      return undefined;
    }
  }

  /** A process that was stopped or busy finds its commands late, not lost. Every script may run twice. */
  async #sendTwice(name: keyof typeof BREAKER_SCRIPTS, id: string, own: string[]): Promise<SharedBreaker> {
    const { timeoutMs = BREAKER_TIMEOUT_MS } = this.#options;
    const first = await race(this.#send(name, id, own), { ms: timeoutMs, sleep }).catch(() => undefined);
    if (typeof first === "object") return first;
    const second = await race(this.#send(name, id, own), { ms: timeoutMs, sleep });
    if (typeof second === "object") return second;
    throw new Error("no answer in time");
  }

  async #send(name: keyof typeof BREAKER_SCRIPTS, id: string, own: string[]): Promise<SharedBreaker> {
    const { rules, random } = this.#options;
    const common = [String(random()), String(rules.pauseMs), String(rules.maxPauseMs), BREAKER_CHANNEL, id];
    const reply = await this.#scripts[name]([breakerKey(id)], [...common, ...own]);
    const [state, trips, restMs, probe, since, pause] = reply as readonly unknown[];
    const at = SHARED_STATES[String(state) as keyof typeof SHARED_STATES];
    return {
      at,
      trips: Number(trips),
      restMs: Number(restMs),
      isProbe: Number(probe) === 1,
      sinceMs: Number(since) || undefined,
      pauseMs: Number(pause) || undefined,
    };
  }
}
