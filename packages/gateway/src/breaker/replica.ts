import {
  type BreakerRules,
  type BreakerSignal,
  type BreakerState,
  CLOSED_BREAKER,
  recordSignal,
} from "@recourse/faults/retry";
import type { SharedBreaker } from "./breaker-server.ts";
import {
  type BreakerAnswer,
  type BreakerGo,
  type BreakerScope,
  type BreakerTicket,
  type BreakerView,
  readScope,
} from "./breakers.ts";

/** What breakers need of their process. */
export interface ReplicaOptions {
  readonly rules: BreakerRules;
  /** Monotonic clock, in ms. */
  readonly now: () => number;
  /** A random number in [0, 1). */
  readonly random: () => number;
  /** The state that callers see has changed. */
  readonly onChange: (scope: BreakerScope, state: BreakerView["state"]) => void;
}

/** What a call gets whose breaker has never counted anything. */
export const FIRST_GO: BreakerGo = { go: true, pass: { probe: undefined, epoch: 0 } };

/** One breaker as one process knows it. It asks nobody: what others know is given to it. */
export class Replica {
  readonly id: string;
  readonly #scope: BreakerScope;
  readonly #options: ReplicaOptions;
  #state: BreakerState = CLOSED_BREAKER;
  #go: BreakerGo = FIRST_GO;
  /** The probe of this process. */
  #probe: string | undefined = undefined;
  /** A probe is not waited for any longer. */
  #probeUntilMs = 0;

  constructor(id: string, options: ReplicaOptions) {
    this.id = id;
    this.#scope = readScope(id);
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#state.at === "closed";
  }

  /** The answer for a call; undefined where the pause is over, so that a call may ask to be the probe. */
  answer(): BreakerAnswer | undefined {
    if (this.#state.at === "closed") return this.#go;
    const restMs = this.#restMs();
    return restMs > 0 ? { go: false, afterMs: restMs } : undefined;
  }

  /** A call of this process is the probe. */
  probe(token: string, leaseMs: number): BreakerGo {
    this.#probe = token;
    this.#probeUntilMs = this.#options.now() + leaseMs;
    this.#set({ at: "half-open", trips: this.#state.at === "closed" ? 1 : this.#state.trips });
    return { go: true, pass: { probe: token, epoch: this.#go.pass.epoch } };
  }

  /** What came of a call that was let through. True where this process has now counted enough failures. */
  record({ probe, epoch }: BreakerTicket, signal: BreakerSignal): boolean {
    if (probe === undefined ? epoch !== this.#go.pass.epoch : probe !== this.#probe) return false;
    const wasClosed = this.isClosed;
    const next = recordSignal(this.#state, { go: true, probe: probe !== undefined }, signal, this.#moment());
    if (probe !== undefined) this.#probe = undefined;
    this.#set(next);
    return wasClosed && !this.isClosed;
  }

  /** What all replicas know counts more than what this one does. */
  take({ at, trips, restMs }: SharedBreaker): void {
    const untilMs = this.#options.now() + restMs;
    if (at !== "half-open") this.#probe = undefined;
    switch (at) {
      case "closed":
        // The failures that were counted here still count.
        if (!this.isClosed) this.#set(CLOSED_BREAKER);
        return;
      case "open":
        this.#set({ at, trips, untilMs });
        return;
      case "half-open":
        this.#probeUntilMs = untilMs;
        this.#set({ at, trips });
        return;
      default:
        at satisfies never;
    }
  }

  /** From now on nobody tells what came of the probe of another process. */
  leaveShared(): void {
    if (this.#state.at !== "half-open" || this.#probe !== undefined) return;
    const { rules, random, now } = this.#options;
    const untilMs = now() + rules.pauseMs * (0.5 + 0.5 * random());
    this.#set({ at: "open", trips: this.#state.trips, untilMs });
  }

  /** Closes it. */
  close(): void {
    this.#probe = undefined;
    this.#set(CLOSED_BREAKER);
  }

  view(scope: BreakerView["scope"]): BreakerView {
    const state = this.#state.at;
    return { ...this.#scope, state, afterMs: state === "closed" ? undefined : this.#restMs(), scope };
  }

  #restMs(): number {
    const { now, rules } = this.#options;
    switch (this.#state.at) {
      case "closed":
        return 0;
      case "open":
        return Math.max(0, Math.ceil(this.#state.untilMs - now()));
      case "half-open":
        // The probe may end at any moment. If it fails, the pause is at least about as long as the first one.
        return Math.max(0, Math.ceil(Math.min(this.#probeUntilMs - now(), Math.max(1, rules.pauseMs))));
      default:
        return this.#state satisfies never;
    }
  }

  #moment() {
    const { now, random, rules } = this.#options;
    return { nowMs: now(), random: random(), rules };
  }

  #set(next: BreakerState): void {
    const { at } = this.#state;
    this.#state = next;
    if (next.at === at) return;
    if (next.at === "closed") this.#go = { go: true, pass: { probe: undefined, epoch: this.#go.pass.epoch + 1 } };
    this.#options.onChange(this.#scope, next.at);
  }
}
