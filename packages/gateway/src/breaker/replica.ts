import {
  type BreakerRules,
  type BreakerSignal,
  type BreakerState,
  CLOSED_BREAKER,
  recordSignal,
} from "@recourse/core/retry";
import type { SharedBreaker } from "./breaker-server.ts";
import {
  type BreakerAnswer,
  type BreakerGo,
  type BreakerScope,
  type BreakerTicket,
  type BreakerView,
  readScope,
} from "./breakers.ts";

export interface ReplicaOptions {
  readonly rules: BreakerRules;
  readonly now: () => number;
  /** A random number in [0, 1). */
  readonly random: () => number;
  readonly onChange: (scope: BreakerScope, state: BreakerView["state"]) => void;
  /** It was opened or closed, as this process knows it. @default nothing is done */
  readonly onFlip?: ((replica: Replica) => void) | undefined;
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
  #probe: string | undefined = undefined;
  /** The wait for a probe has ended. */
  #probeUntilMs = 0;
  /** Failures in a row that this process has counted since it opened. */
  #failures: number | undefined = undefined;
  #pauseMs: number | undefined = undefined;

  constructor(id: string, options: ReplicaOptions) {
    this.id = id;
    this.#scope = readScope(id);
    this.#options = options;
  }

  get isClosed(): boolean {
    return this.#state.at === "closed";
  }

  /** The answer for a call; undefined if the pause is over, so that a call may ask to be the probe. */
  answer(): BreakerAnswer | undefined {
    if (this.#state.at === "closed") return this.#go;
    const restMs = this.#restMs();
    return restMs > 0 ? { go: false, afterMs: restMs } : undefined;
  }

  probe(token: string, leaseMs: number): BreakerGo {
    this.#probe = token;
    this.#probeUntilMs = this.#options.now() + leaseMs;
    this.#set({ at: "half-open", trips: this.#state.at === "closed" ? 1 : this.#state.trips });
    return { go: true, pass: { probe: token, epoch: this.#go.pass.epoch } };
  }

  /** What came of a call that was let through. True if this process has now counted enough failures. */
  record({ probe, epoch }: BreakerTicket, signal: BreakerSignal): boolean {
    if (probe === undefined ? epoch !== this.#go.pass.epoch : probe !== this.#probe) return false;
    const wasClosed = this.isClosed;
    const before = this.failures ?? 0;
    const next = recordSignal(this.#state, { go: true, probe: probe !== undefined }, signal, this.#moment());
    if (probe !== undefined) this.#probe = undefined;
    if (next.at !== "closed" && signal === "failure") this.#failures = before + 1;
    if (next.at === "open") this.#pauseMs = Math.max(0, Math.ceil(next.untilMs - this.#options.now()));
    this.#set(next);
    return wasClosed && !this.isClosed;
  }

  /** What all replicas know counts more than what this one does. */
  take({ at, trips, restMs, pauseMs }: SharedBreaker): void {
    const untilMs = this.#options.now() + restMs;
    if (at !== "closed") this.#pauseMs = pauseMs ?? this.#pauseMs ?? restMs;
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
    this.#pauseMs = Math.ceil(rules.pauseMs * (0.5 + 0.5 * random()));
    const untilMs = now() + this.#pauseMs;
    this.#set({ at: "open", trips: this.#state.trips, untilMs });
  }

  close(): void {
    this.#probe = undefined;
    this.#set(CLOSED_BREAKER);
  }

  view(scope: BreakerView["scope"]): BreakerView {
    const state = this.#state.at;
    const { failures } = this;
    const isClosed = state === "closed";
    return {
      ...this.#scope,
      state,
      afterMs: isClosed ? undefined : this.#restMs(),
      scope,
      ...(failures !== undefined && { failures }),
      ...(!isClosed && this.#pauseMs !== undefined && { pauseMs: this.#pauseMs }),
    };
  }

  /** Failures in a row, as this process has counted them; undefined if another process has. */
  get failures(): number | undefined {
    return this.#state.at === "closed" ? this.#state.failures : this.#failures;
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
    if (next.at === "closed") {
      this.#go = { go: true, pass: { probe: undefined, epoch: this.#go.pass.epoch + 1 } };
      this.#failures = undefined;
      this.#pauseMs = undefined;
    }
    this.#options.onChange(this.#scope, next.at);
    if ((at === "closed") !== (next.at === "closed")) this.#options.onFlip?.(this);
  }
}
