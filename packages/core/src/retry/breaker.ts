import type { Fault } from "../fault/fault.ts";
import { KINDS, knownKind } from "../fault/kinds.ts";
import { misconfigured } from "../reasons/library/core.ts";
import { breaker_open, not_connected, not_sent, unreachable } from "../reasons/library/transport.ts";
import { fillNumbers } from "./policy.ts";

export interface BreakerOptions {
  /** How many failures in a row open it: 1 or more. `Infinity` never opens it. @default 5 */
  readonly failures?: number | undefined;
  /** The first pause, in milliseconds. It doubles with every probe that fails. @default 1000 */
  readonly pauseMs?: number | undefined;
  /** The longest pause, in milliseconds. @default 5000 */
  readonly maxPauseMs?: number | undefined;
}

export interface BreakerRules {
  /** How many failures in a row open it. */
  readonly failures: number;
  /** The first pause, in milliseconds. It doubles with every probe that fails. */
  readonly pauseMs: number;
  /** The longest pause, in milliseconds. */
  readonly maxPauseMs: number;
}

/** The state of a breaker. In the state `half-open` one call, the probe, finds out whether the server works again. */
export type BreakerState =
  | { readonly at: "closed"; readonly failures: number }
  | { readonly at: "open"; readonly trips: number; readonly untilMs: number }
  | { readonly at: "half-open"; readonly trips: number };

/** What an attempt shows about a server or one of its tools: it works, it fails, or nothing. */
export type BreakerSignal = "success" | "failure" | "ignored";

/** What an attempt shows about its tool, and about the server as a whole. */
export interface BreakerSignals {
  readonly tool: BreakerSignal;
  readonly server: BreakerSignal;
}

/**
 * What came back from an attempt that failed:
 * - `answer`: a message of the server, or an HTTP status that a working server gives.
 * - `lost`: the connection or process was lost, or a proxy answered that its server is missing.
 * - `unreached`: there was no connection, so the call was not sent.
 * - `silence`: this side gave up waiting, or failed itself.
 */
export type AttemptResponse = "answer" | "lost" | "unreached" | "silence";

/** What is known about a failed attempt beside its fault. */
export interface AttemptEvidence {
  readonly response: AttemptResponse;
  /** This side waited for an answer as long as its own settings allow. A caller may have had less time. */
  readonly waitedFully: boolean;
  /** Since the server last answered, calls of more than one tool were lost. A tool that ends its server counts for itself. */
  readonly severalLost: boolean;
}

/** The call may be sent. The caller reports its result with `recordSignal`. */
export interface BreakerPermit {
  /** Tells a permit from a refusal. */
  readonly go: true;
  /** Whether this call is the probe. There is one at a time, and no other call is sent meanwhile. */
  readonly probe: boolean;
}

/** The call may not be sent. */
export interface BreakerRefusal {
  /** Tells a refusal from a permit. */
  readonly go: false;
  /** How long it is until the next probe. */
  readonly afterMs: number;
}

/** The time of an event, a random number in [0, 1), and the rules. */
export interface BreakerMoment {
  /** The time of a clock that never goes back, in milliseconds. */
  readonly nowMs: number;
  /** A random number in [0, 1). */
  readonly random: number;
  readonly rules: BreakerRules;
}

export const CLOSED_BREAKER: BreakerState = /* @__PURE__ */ Object.freeze({ at: "closed", failures: 0 });

const BREAKER_DEFAULTS: BreakerRules = { failures: 5, pauseMs: 1_000, maxPauseMs: 5_000 };
const BREAKER_RANGES = { failures: { min: 1 }, pauseMs: { min: 0 }, maxPauseMs: { min: 0 } };

/** The rules of a breaker. A number out of range throws a `RangeError` with the path of the option. */
export function toBreakerRules(options: BreakerOptions = {}, path = "breaker"): BreakerRules {
  return fillNumbers(options, { path, defaults: BREAKER_DEFAULTS, ranges: BREAKER_RANGES });
}

/** Asks whether a call may be sent. Returns the answer and the next state. */
export function requestPermit(
  state: BreakerState,
  moment: BreakerMoment,
): readonly [BreakerPermit | BreakerRefusal, BreakerState] {
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
  pass: BreakerPermit,
  signal: BreakerSignal,
  moment: BreakerMoment,
): BreakerState {
  switch (state.at) {
    case "closed":
      if (signal === "ignored") return state;
      if (signal === "success") return state.failures === 0 ? state : CLOSED_BREAKER;
      return state.failures + 1 < moment.rules.failures
        ? { at: "closed", failures: state.failures + 1 }
        : openBreaker(1, moment);
    case "open":
      // Calls that were sent before it opened neither lengthen the pause nor end it.
      return state;
    case "half-open":
      if (!pass.probe) return state;
      if (signal === "success") return CLOSED_BREAKER;
      if (signal === "failure") return openBreaker(state.trips + 1, moment);
      // The probe showed nothing, so the next call becomes the probe.
      return { at: "open", trips: state.trips, untilMs: moment.nowMs };
    default:
      return state satisfies never;
  }
}

function openBreaker(trips: number, { nowMs, random, rules }: BreakerMoment): BreakerState {
  const pause = Math.min(rules.pauseMs * 2 ** Math.min(trips - 1, 30), Math.max(rules.maxPauseMs, rules.pauseMs));
  // Half of it is random, so that many clients do not send their probes together.
  return { at: "open", trips, untilMs: nowMs + pause * (0.5 + 0.5 * random) };
}

const REFUSED_HERE: readonly string[] = [breaker_open.id, not_connected.id, not_sent.id];

/** What an attempt shows that was refused, cancelled or given up. */
export const NO_SIGNALS = { tool: "ignored", server: "ignored" } as const satisfies BreakerSignals;

/** What an attempt shows that succeeded. */
export const SUCCESS_SIGNALS = { tool: "success", server: "success" } as const satisfies BreakerSignals;

const UNREACHED: readonly string[] = [unreachable.id, misconfigured.id];

const MISSING_SERVER = [502, 503, 504];

/** What came back: by the layer of the fault, which no peer can choose, and by the status if an HTTP reply came. */
export function readAttemptResponse({ origin, reason }: Fault, httpStatus?: number): AttemptResponse {
  if (origin.layer !== "transport" && origin.layer !== "client") return "answer";
  if (httpStatus !== undefined) return MISSING_SERVER.includes(httpStatus) ? "lost" : "answer";
  if (origin.layer === "client") return "silence";
  return UNREACHED.includes(reason) ? "unreached" : "lost";
}

/**
 * What a failed attempt shows. A server that answers works, whatever it says: a failure in its answer counts against the
 * tool at most, and a sentence against nobody. Only what the connection met counts against the server.
 */
export function breakerSignals(fault: Fault, evidence: AttemptEvidence): BreakerSignals {
  const kind = knownKind(fault);
  const counts = KINDS[kind].tripsBreaker && fault.basis !== "guessed";
  const isRefusal = kind === "cancelled" || REFUSED_HERE.includes(fault.reason);
  const { response, waitedFully, severalLost } = evidence;
  if (response !== "answer" && (isRefusal || !counts)) return NO_SIGNALS;
  switch (response) {
    case "answer":
      return { server: "success", tool: isRefusal ? "ignored" : counts ? "failure" : "success" };
    case "lost":
      return { server: severalLost ? "failure" : "ignored", tool: "failure" };
    case "unreached":
      return { server: "failure", tool: "ignored" };
    case "silence":
      return { server: "ignored", tool: kind !== "timeout" || waitedFully ? "failure" : "ignored" };
    default:
      return response satisfies never;
  }
}

/** Clocks and timers differ a little. */
const FULL_WAIT = 0.9;

/** Whether a wait was as long as this side waits by its own settings. */
export function isFullWait(waitedMs: number, ownMs: number): boolean {
  return waitedMs >= ownMs * FULL_WAIT;
}

/** Whose calls were lost since the server last answered. */
export class LostCalls {
  #tool: string | undefined;
  #several = false;

  /** Notes what came back from a call. Returns whether calls of more than one tool were lost. */
  note(tool: string, response: AttemptResponse): boolean {
    if (response === "answer") this.#tool = undefined;
    if (response === "lost" && this.#tool === undefined) {
      this.#tool = tool;
      this.#several = false;
    }
    if (response === "lost" && this.#tool !== tool) this.#several = true;
    return this.#several && this.#tool !== undefined;
  }
}
