import { type BreakerRules, type BreakerSignal, race, sleep } from "@recourse/faults/internal-do-not-use";
import { type RunScript, redisScript } from "@recourse/stores/redis";
import { AwayGate } from "../stores/away-gate.ts";
import type { Redis } from "../stores/redis.ts";
import { scopeOf } from "./breakers.ts";
import { BREAKER_SCRIPTS } from "./script.ts";

/** A breaker as all replicas share it. */
export interface SharedBreaker {
  readonly at: "closed" | "open" | "half-open";
  /** How often it was opened in a row. */
  readonly trips: number;
  /** The rest of the pause, or of the time of the probe. */
  readonly restMs: number;
  /** The call that asked is the probe. */
  readonly isProbe: boolean;
}

/** Options of `BreakerServer`. */
export interface BreakerServerOptions {
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
const TIMEOUT_MS = 250;

const STATES = { closed: "closed", open: "open", half: "half-open" } as const satisfies Readonly<
  Record<string, SharedBreaker["at"]>
>;

/** The key of a breaker. An upstream and its tools are in one slot of a cluster. */
export function breakerKey(id: string): string {
  const { upstream, tool } = scopeOf(id);
  return `recourse:breaker:{${upstream}}${tool === undefined ? "" : `:${tool}`}`;
}

/** The breakers in Redis. Its methods give undefined while Redis is away; none of them rejects. */
export class BreakerServer {
  readonly #options: BreakerServerOptions;
  readonly #scripts: Readonly<Record<keyof typeof BREAKER_SCRIPTS, RunScript>>;
  readonly #gate: AwayGate;
  #failedAt = "";

  constructor(options: BreakerServerOptions) {
    const { redis, onSwitch, timeoutMs = TIMEOUT_MS } = options;
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

  /** Asks to be the probe, for so long. */
  ask(id: string, token: string, leaseMs: number): Promise<SharedBreaker | undefined> {
    return this.#run("ask", id, token, String(Math.ceil(leaseMs)));
  }

  /** The probe has ended. */
  tell(id: string, token: string, signal: BreakerSignal): Promise<SharedBreaker | undefined> {
    return this.#run("tell", id, token, signal);
  }

  /** Closes it. */
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
    const { timeoutMs = TIMEOUT_MS } = this.#options;
    const first = await race(this.#send(name, id, own), { ms: timeoutMs, sleep }).catch(() => undefined);
    if (typeof first === "object") return first;
    const second = await race(this.#send(name, id, own), { ms: timeoutMs, sleep });
    if (typeof second === "object") return second;
    throw new Error("no answer in time");
  }

  async #send(name: keyof typeof BREAKER_SCRIPTS, id: string, own: string[]): Promise<SharedBreaker> {
    const { rules, random } = this.#options;
    const common = [String(random()), String(rules.pauseMs), String(rules.capMs), BREAKER_CHANNEL, id];
    const reply = await this.#scripts[name]([breakerKey(id)], [...common, ...own]);
    const [state, trips, restMs, probe] = reply as readonly unknown[];
    const at = STATES[String(state) as keyof typeof STATES];
    return { at, trips: Number(trips), restMs: Number(restMs), isProbe: Number(probe) === 1 };
  }
}
