import type { Fault } from "../fault/fault.ts";
import { KINDS, knownKind } from "../fault/kinds.ts";
import { breaker_open, not_connected } from "../reasons/library/transport.ts";
import { atLeast } from "./policy.ts";

/** Options of the circuit breaker. */
export interface BreakerOptions {
  /** How many failures in a row open it. @default 5 */
  readonly failures?: number | undefined;
  /** The first pause, in milliseconds. It doubles with every probe that fails. @default 1000 */
  readonly pauseMs?: number | undefined;
  /** The longest pause, in milliseconds. @default 5000 */
  readonly capMs?: number | undefined;
}

/** The options with their defaults filled in. */
export interface BreakerRules {
  readonly failures: number;
  readonly pauseMs: number;
  readonly capMs: number;
}

/** The state of a breaker. In the state `half-open` one call, the probe, finds out whether the server works again. */
export type BreakerState =
  | { readonly at: "closed"; readonly failures: number }
  | { readonly at: "open"; readonly trips: number; readonly untilMs: number }
  | { readonly at: "half-open"; readonly trips: number };

/** What an attempt shows about the server: it works, it fails, or nothing. */
export type BreakerSignal = "success" | "failure" | "ignored";

/** The call may be sent. The caller reports its result with `recordSignal`. */
export interface BreakerPass {
  readonly go: true;
  /** Whether this call is the probe. There is one at a time, and no other call is sent meanwhile. */
  readonly probe: boolean;
}

/** The call may not be sent. */
export interface BreakerRefusal {
  readonly go: false;
  /** How long it is until the next probe. */
  readonly afterMs: number;
}

/** The time of an event, a random number in [0, 1), and the rules. */
export interface BreakerMoment {
  readonly nowMs: number;
  readonly random: number;
  readonly rules: BreakerRules;
}

/** The first state of a breaker. */
export const CLOSED: BreakerState = Object.freeze({ at: "closed", failures: 0 });

/** The rules of a breaker. A number out of range is replaced by its default. */
export function toBreakerRules(options: BreakerOptions = {}): BreakerRules {
  return {
    failures: atLeast(1, options.failures, 5),
    pauseMs: atLeast(0, options.pauseMs, 1_000),
    capMs: atLeast(0, options.capMs, 5_000),
  };
}

/** Asks whether a call may be sent. Returns the answer and the next state. */
export function requestPass(
  state: BreakerState,
  moment: BreakerMoment,
): readonly [BreakerPass | BreakerRefusal, BreakerState] {
  switch (state.at) {
    case "closed":
      return [{ go: true, probe: false }, state];
    case "open": {
      const afterMs = state.untilMs - moment.nowMs;
      if (afterMs > 0) return [{ go: false, afterMs: Math.ceil(afterMs) }, state];
      return [
        { go: true, probe: true },
        { at: "half-open", trips: state.trips },
      ];
    }
    case "half-open":
      // The probe has not ended yet. If it fails, the pause is at least about as long as the first one.
      return [{ go: false, afterMs: Math.ceil(moment.rules.pauseMs) }, state];
    default:
      return state satisfies never;
  }
}

/** Records the result of a call that was sent. If the breaker is not closed, only the probe changes its state. */
export function recordSignal(
  state: BreakerState,
  pass: BreakerPass,
  signal: BreakerSignal,
  moment: BreakerMoment,
): BreakerState {
  switch (state.at) {
    case "closed":
      if (signal === "ignored") return state;
      if (signal === "success") return state.failures === 0 ? state : CLOSED;
      return state.failures + 1 < moment.rules.failures
        ? { at: "closed", failures: state.failures + 1 }
        : openBreaker(1, moment);
    case "open":
      // Calls that were sent before it opened neither lengthen the pause nor end it.
      return state;
    case "half-open":
      if (!pass.probe) return state;
      if (signal === "success") return CLOSED;
      if (signal === "failure") return openBreaker(state.trips + 1, moment);
      // The probe showed nothing, so the next call becomes the probe.
      return { at: "open", trips: state.trips, untilMs: moment.nowMs };
    default:
      return state satisfies never;
  }
}

function openBreaker(trips: number, { nowMs, random, rules }: BreakerMoment): BreakerState {
  const pause = Math.min(rules.pauseMs * 2 ** Math.min(trips - 1, 30), Math.max(rules.capMs, rules.pauseMs));
  // Half of it is random, so that many clients do not send their probes together.
  return { at: "open", trips, untilMs: nowMs + pause * (0.5 + 0.5 * random) };
}

/** Reasons of calls that were never sent. */
const UNSENT: readonly string[] = [breaker_open.id, not_connected.id];

/**
 * What a failure shows about the server. An answer that blames the call shows that the server works. A guess, a
 * cancellation and a refusal by the client itself show nothing.
 */
export function breakerSignalOf(fault: Fault): BreakerSignal {
  const kind = knownKind(fault);
  if (kind === "cancelled" || kind === "unknown" || fault.basis === "guessed") return "ignored";
  if (UNSENT.includes(fault.reason)) return "ignored";
  if (KINDS[kind].tripsBreaker) return "failure";
  return fault.origin.layer === "client" ? "ignored" : "success";
}
