import { atLeast } from "./policy.ts";

/** When a server counts as down, and how long it is then left alone. */
export interface BreakerOptions {
  /** Counted failures in a row that open it. */
  readonly failures?: number | undefined;
  /** The first pause; it doubles with every probe that fails. */
  readonly pauseMs?: number | undefined;
  /** Where pauses stop growing. */
  readonly capMs?: number | undefined;
}

/** The options with their defaults. */
export interface BreakerRules {
  readonly failures: number;
  readonly pauseMs: number;
  readonly capMs: number;
}

/** Where a breaker stands. A probe is the one call that finds out whether the server is back. */
export type BreakerState =
  | { readonly at: "closed"; readonly failures: number }
  | { readonly at: "open"; readonly trips: number; readonly untilMs: number }
  | { readonly at: "half-open"; readonly trips: number };

/** What an attempt says about the server: it works, it fails, or nothing at all. */
export type Evidence = "alive" | "failing" | "nothing";

/** Leave to send; it comes back with what was learnt. */
export interface Pass {
  readonly go: true;
  /** Whether this call is the probe: there is never more than one, and nothing else is sent meanwhile. */
  readonly probe: boolean;
}

/** No leave, and how long it will be until the next probe may be sent. */
export interface Refusal {
  readonly go: false;
  readonly afterMs: number;
}

/** The moment of an event: time, and a random number in [0, 1). */
export interface Moment {
  readonly nowMs: number;
  readonly random: number;
  readonly rules: BreakerRules;
}

/** A breaker that has seen nothing yet. */
export const CLOSED: BreakerState = Object.freeze({ at: "closed", failures: 0 });

/** The rules of a breaker; a number that makes no sense is replaced by its default. */
export function toBreakerRules(options: BreakerOptions = {}): BreakerRules {
  return {
    failures: atLeast(1, options.failures, 5),
    pauseMs: atLeast(0, options.pauseMs, 1_000),
    capMs: atLeast(0, options.capMs, 5_000),
  };
}

/** Asks for leave to send; the state that comes back holds the probe, if the call became one. */
export function askBreaker(state: BreakerState, moment: Moment): readonly [Pass | Refusal, BreakerState] {
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
      // How the probe ends is not known; should it fail, the pause is at least about as long as the first one.
      return [{ go: false, afterMs: Math.ceil(moment.rules.pauseMs) }, state];
    default:
      return state satisfies never;
  }
}

/** Tells what an attempt that had leave has shown. Only the probe moves a breaker that is not closed. */
export function tellBreaker(state: BreakerState, pass: Pass, evidence: Evidence, moment: Moment): BreakerState {
  switch (state.at) {
    case "closed":
      if (evidence === "nothing") return state;
      if (evidence === "alive") return state.failures === 0 ? state : CLOSED;
      return state.failures + 1 < moment.rules.failures
        ? { at: "closed", failures: state.failures + 1 }
        : opened(1, moment);
    case "open":
      // Calls sent before it opened: they must neither lengthen the pause nor end it.
      return state;
    case "half-open":
      if (!pass.probe) return state;
      if (evidence === "alive") return CLOSED;
      if (evidence === "failing") return opened(state.trips + 1, moment);
      // A probe that was given up leaves its place to the next call.
      return { at: "open", trips: state.trips, untilMs: moment.nowMs };
    default:
      return state satisfies never;
  }
}

function opened(trips: number, { nowMs, random, rules }: Moment): BreakerState {
  const pause = Math.min(rules.pauseMs * 2 ** Math.min(trips - 1, 30), Math.max(rules.capMs, rules.pauseMs));
  // Half of it is random, so that many clients do not probe together.
  return { at: "open", trips, untilMs: nowMs + pause * (0.5 + 0.5 * random) };
}
