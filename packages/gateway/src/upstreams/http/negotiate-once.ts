import { core, type Fault } from "@recourse/faults";
import { ABORTED, amendFault, race } from "@recourse/faults/internal-do-not-use";
import type { Negotiated } from "./negotiate.ts";
import { type NegotiationFailed, UNSENT } from "./negotiate-answer.ts";

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 10_000;

export interface NegotiateOnceOptions {
  readonly run: () => Promise<Negotiated | NegotiationFailed>;
  /** Receives each end of a negotiation. */
  readonly onEnd: (ended: Negotiated | NegotiationFailed) => void;
  /** Monotonic time in ms. */
  readonly now: () => number;
}

/** Negotiates when it is first needed, once for all callers, and after a failure not before a pause is over. */
export class NegotiateOnce {
  readonly #options: NegotiateOnceOptions;
  #current: Negotiated | undefined = undefined;
  #underWay: Promise<Negotiated | Fault> | undefined = undefined;
  #failed: Fault | undefined = undefined;
  #pauseMs = 0;
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(options: NegotiateOnceOptions) {
    this.#options = options;
  }

  /** What was agreed on; undefined before the first success. */
  get current(): Negotiated | undefined {
    return this.#current;
  }

  /** What was agreed on, or why nothing was. It waits only while a negotiation is under way. */
  ready(signal: AbortSignal): Negotiated | Fault | Promise<Negotiated | Fault> {
    if (this.#current !== undefined) return this.#current;
    const leftMs = this.#notBefore - this.#options.now();
    if (this.#failed !== undefined && leftMs > 0) return waiting(this.#failed, leftMs);
    this.#underWay ??= this.#negotiate();
    return raced(this.#underWay, signal);
  }

  /** The upstream does not answer as it was agreed; the next caller negotiates again. */
  forget(): void {
    this.#current = undefined;
  }

  async #negotiate(): Promise<Negotiated | Fault> {
    // An answer that cannot be read is a failure like others: callers after it try again.
    const ended = await this.#options.run().catch((cause: unknown): NegotiationFailed => {
      return { fault: core.unavailable.fault({}, UNSENT), cause };
    });
    this.#underWay = undefined;
    this.#options.onEnd(ended);
    if ("fault" in ended) {
      this.#failed = ended.fault;
      this.#pauseMs = Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2));
      this.#notBefore = this.#options.now() + this.#pauseMs;
      return ended.fault;
    }
    this.#failed = undefined;
    this.#pauseMs = 0;
    this.#current = ended;
    return ended;
  }
}

async function raced(work: Promise<Negotiated | Fault>, signal: AbortSignal): Promise<Negotiated | Fault> {
  const ended = await race(work, { signal });
  return ended === ABORTED ? core.cancelled.fault({}, { origin: { layer: "gateway" }, effect: "none" }) : ended;
}

/** The failure that is known, with the rest of the pause as the wait. */
function waiting(fault: Fault, leftMs: number): Fault {
  if (fault.retry?.allowed === false) return fault;
  return amendFault(fault, { retry: { allowed: true, afterMs: Math.ceil(leftMs) } });
}
