import type { Fault } from "../../fault/fault.ts";
import { formatId } from "../../fault/id.ts";
import { stamp } from "../../fault/stamp.ts";
import { withhold } from "../../fault/withhold.ts";
import type { GuardCounts, GuardOptions } from "../options.ts";
import { secretsOf, traceOf } from "../request/request.ts";
import { isCallersDoing, type Sink, stderrSink, tell } from "./incident.ts";
import { randomBytes } from "./random.ts";

/** One for all: over HTTP there may be a server, and so a reporter, for each request. */
const defaultSink = /* @__PURE__ */ stderrSink();

/** Where a failure happened. */
export interface Place {
  readonly method: string;
  readonly tool?: string | undefined;
  readonly context: unknown;
}

/** Stamps faults on their way out, and tells the operator about those that are not the caller's doing. */
export class Reporter {
  readonly #options: GuardOptions;
  readonly #sink: Sink;
  readonly #now: () => number;
  readonly #random: () => Uint8Array;
  readonly #counts = { late: 0, looksFailed: 0, undeclared: 0 };

  constructor(options: GuardOptions) {
    this.#options = options;
    this.#sink = options.sink ?? defaultSink;
    this.#now = options.now ?? Date.now;
    this.#random = options.random ?? randomBytes;
  }

  /** What was counted so far. */
  get counts(): GuardCounts {
    return { ...this.#counts };
  }

  /** Adds one to a count. */
  count(what: keyof GuardCounts): void {
    this.#counts[what] += 1;
  }

  /** The fault as it goes out: checked for the request's own secrets, stamped, and recorded where an operator wants it. */
  release(fault: Fault, cause: unknown, place: Place): Fault {
    const { name, docsBase, recorded } = this.#options;
    const now = this.#now();
    const secrets = secretsOf(place.context);
    const isTold = recorded === true || !isCallersDoing(fault);
    const out = stamp(withhold(fault, secrets), {
      incident: isTold ? formatId(now, this.#random()) : undefined,
      at: new Date(now).toISOString(),
      trace: traceOf(place.context),
      docsBase,
      recorded,
      origin: name === undefined ? fault.origin : { layer: "server", name },
    });
    if (isTold) this.tell(out, cause, place, secrets);
    return out;
  }

  /** Tells the operator; a sink that fails must not break an answer. */
  tell(fault: Fault, cause: unknown, { method, tool, context }: Place, secrets = secretsOf(context)): void {
    tell(this.#sink, {
      fault,
      at: fault.at ?? new Date(this.#now()).toISOString(),
      method,
      ...(cause !== undefined && { cause }),
      ...(tool !== undefined && { tool }),
      ...(secrets !== undefined && { secrets }),
    });
  }
}
