import { NewestMap } from "../wire/newest-map.ts";
import {
  type AttemptEvidence,
  type BreakerMoment,
  type BreakerPermit,
  type BreakerRefusal,
  type BreakerRules,
  type BreakerSignal,
  type BreakerSignals,
  type BreakerState,
  breakerSignals,
  CLOSED_BREAKER,
  LostCalls,
  NO_SIGNALS,
  readAttemptResponse,
  recordSignal,
  requestPermit,
  SUCCESS_SIGNALS,
} from "./breaker.ts";
import type { AttemptFailure } from "./call.ts";

/** Options of `BreakerScopes`. */
export interface BreakerScopesOptions {
  readonly rules: BreakerRules;
  /** A clock in milliseconds that never goes back. */
  readonly now: () => number;
  readonly random: () => number;
}

/** The call may be sent. Its end is recorded with `succeeded`, `failed` or `ended`. */
export interface ScopedPermit {
  readonly go: true;
  readonly server: BreakerPermit;
  readonly tool: BreakerPermit;
}

/** The call may not be sent. */
export interface ScopedRefusal extends BreakerRefusal {
  /** The tool that is held back; undefined if the server is. */
  readonly tool: string | undefined;
}

/** The most tools whose failures are remembered. Models choose the names, so the number has to be bounded. */
const MAX_TOOL_BREAKERS = 1_000;

/** The breakers of one server: one for the server as a whole, and one for each tool that has failed. */
export class BreakerScopes {
  readonly #options: BreakerScopesOptions;
  readonly #tools = new NewestMap<string, BreakerState>(MAX_TOOL_BREAKERS);
  readonly #lost = new LostCalls();
  #server: BreakerState = CLOSED_BREAKER;

  constructor(options: BreakerScopesOptions) {
    this.#options = options;
  }

  get server(): BreakerState["at"] {
    return this.#server.at;
  }

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
  ask(tool: string): ScopedPermit | ScopedRefusal {
    const moment = this.#moment();
    const [ofTool, toolNext] = requestPermit(this.#toolState(tool), moment);
    if (!ofTool.go) return { ...ofTool, tool };
    const [ofServer, serverNext] = requestPermit(this.#server, moment);
    if (!ofServer.go) return { ...ofServer, tool: undefined };
    this.#server = serverNext;
    this.#setTool(tool, toolNext);
    return { go: true, server: ofServer, tool: ofTool };
  }

  succeeded(tool: string, pass: ScopedPermit): void {
    this.#lost.note(tool, "answer");
    this.#record(tool, pass, SUCCESS_SIGNALS);
  }

  /** Records that an attempt ended without showing anything. */
  ended(tool: string, pass: ScopedPermit): void {
    this.#record(tool, pass, NO_SIGNALS);
  }

  failed(tool: string, pass: ScopedPermit, { fault, evidence }: AttemptFailure): void {
    const { response, waitedFully = true } = evidence ?? { response: readAttemptResponse(fault) };
    const severalLost = this.#lost.note(tool, response) || pass.server.probe;
    const known: AttemptEvidence = { response, waitedFully, severalLost };
    this.#record(tool, pass, breakerSignals(fault, known));
  }

  #record(tool: string, pass: ScopedPermit, signals: BreakerSignals): void {
    const moment = this.#moment();
    const next = (state: BreakerState, ofScope: BreakerPermit, signal: BreakerSignal) =>
      recordSignal(state, ofScope, signal, moment);
    this.#server = next(this.#server, pass.server, signals.server);
    this.#setTool(tool, next(this.#toolState(tool), pass.tool, signals.tool));
  }

  #toolState(tool: string): BreakerState {
    return this.#tools.get(tool) ?? CLOSED_BREAKER;
  }

  #setTool(tool: string, state: BreakerState): void {
    if (state.at === "closed" && state.failures === 0) this.#tools.delete(tool);
    else this.#tools.set(tool, state);
  }

  #moment(): BreakerMoment {
    const { now, random, rules } = this.#options;
    return { nowMs: now(), random: random(), rules };
  }
}
