import {
  type AttemptEvidence,
  BOTH_WORK,
  type BreakerMoment,
  type BreakerPass,
  type BreakerRefusal,
  type BreakerRules,
  type BreakerSignal,
  type BreakerSignals,
  type BreakerState,
  breakerSignals,
  CLOSED,
  heardOf,
  LostCalls,
  recordSignal,
  requestPass,
  SHOWS_NOTHING,
} from "./breaker.ts";
import type { Failed } from "./call.ts";

/** Options of `BreakerScopes`. */
export interface BreakerScopesOptions {
  readonly rules: BreakerRules;
  /** A clock in milliseconds that never goes back. */
  readonly now: () => number;
  /** A random number in [0, 1). */
  readonly random: () => number;
}

/** The call may be sent. Its end is recorded with `succeeded`, `failed` or `ended`. */
export interface ScopedPass {
  readonly go: true;
  readonly server: BreakerPass;
  readonly tool: BreakerPass;
}

/** The call may not be sent. */
export interface ScopedRefusal extends BreakerRefusal {
  /** The tool that is held back; undefined where the server is. */
  readonly tool: string | undefined;
}

/** The most tools whose failures are remembered. Models choose the names, so the number has to be bounded. */
const MAX_TOOLS = 1_000;

/** The breakers of one server: one for the server as a whole, and one for each tool that has failed. */
export class BreakerScopes {
  readonly #options: BreakerScopesOptions;
  readonly #tools = new Map<string, BreakerState>();
  readonly #lost = new LostCalls();
  #server: BreakerState = CLOSED;

  constructor(options: BreakerScopesOptions) {
    this.#options = options;
  }

  /** The state of the breaker of the server. */
  get server(): BreakerState["at"] {
    return this.#server.at;
  }

  /** The tools that are held back. */
  get tools(): readonly string[] {
    return [...this.#tools].flatMap(([tool, { at }]) => (at === "closed" ? [] : [tool]));
  }

  /** How long no call of the tool is sent, in milliseconds. */
  pauseMs(tool: string): number {
    const { now } = this.#options;
    const rest = (state: BreakerState) => (state.at === "open" ? Math.ceil(state.untilMs - now()) : 0);
    return Math.max(0, rest(this.#server), rest(this.#toolState(tool)));
  }

  /** Asks whether a call may be sent. The tool is asked first, so that one that is held back takes no probe of the server. */
  ask(tool: string): ScopedPass | ScopedRefusal {
    const moment = this.#moment();
    const [ofTool, toolNext] = requestPass(this.#toolState(tool), moment);
    if (!ofTool.go) return { ...ofTool, tool };
    const [ofServer, serverNext] = requestPass(this.#server, moment);
    if (!ofServer.go) return { ...ofServer, tool: undefined };
    this.#server = serverNext;
    this.#setTool(tool, toolNext);
    return { go: true, server: ofServer, tool: ofTool };
  }

  /** Records that an attempt succeeded. */
  succeeded(tool: string, pass: ScopedPass): void {
    this.#lost.note(tool, "answer");
    this.#record(tool, pass, BOTH_WORK);
  }

  /** Records that an attempt ended without showing anything. */
  ended(tool: string, pass: ScopedPass): void {
    this.#record(tool, pass, SHOWS_NOTHING);
  }

  /** Records a failed attempt. */
  failed(tool: string, pass: ScopedPass, { fault, evidence }: Failed): void {
    const { heard, waitedFully = true } = evidence ?? { heard: heardOf(fault) };
    const severalLost = this.#lost.note(tool, heard) || pass.server.probe;
    const known: AttemptEvidence = { heard, waitedFully, severalLost };
    this.#record(tool, pass, breakerSignals(fault, known));
  }

  #record(tool: string, pass: ScopedPass, signals: BreakerSignals): void {
    const moment = this.#moment();
    const next = (state: BreakerState, ofScope: BreakerPass, signal: BreakerSignal) =>
      recordSignal(state, ofScope, signal, moment);
    this.#server = next(this.#server, pass.server, signals.server);
    this.#setTool(tool, next(this.#toolState(tool), pass.tool, signals.tool));
  }

  #toolState(tool: string): BreakerState {
    return this.#tools.get(tool) ?? CLOSED;
  }

  #setTool(tool: string, state: BreakerState): void {
    this.#tools.delete(tool);
    if (state.at === "closed" && state.failures === 0) return;
    this.#tools.set(tool, state);
    const [oldest] = this.#tools.keys();
    if (this.#tools.size > MAX_TOOLS && oldest !== undefined) this.#tools.delete(oldest);
  }

  #moment(): BreakerMoment {
    const { now, random, rules } = this.#options;
    return { nowMs: now(), random: random(), rules };
  }
}
