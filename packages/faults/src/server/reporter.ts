import { FaultError } from "../fault/error.ts";
import type { Fault } from "../fault/fault.ts";
import { formatId } from "../fault/id.ts";
import { redactSecrets } from "../fault/redact-secrets.ts";
import { shouldReport } from "../fault/should-report.ts";
import { stampFault } from "../fault/stamp.ts";
import { deliver, type Sink } from "../incidents/incident.ts";
import { stderrSink } from "../incidents/sinks.ts";
import { randomBytes } from "../platform/random.ts";
import { installTextFilter } from "../safety/foreign-text.ts";
import { secretsOf, traceOf } from "../sdk/context.ts";
import { callerTextsFor } from "./calls/sent-by-caller.ts";
import { type DevelopmentHints, hintsOfProcess } from "./development-hints.ts";
import type { GuardOptions, GuardStats } from "./options.ts";
import { releaseFault } from "./release.ts";
import { rememberSent } from "./sent-faults.ts";

/** One for all: over HTTP there may be a server, and so a reporter, for each request. */
const defaultSink = /* @__PURE__ */ stderrSink();

/** Where a failure happened. */
export interface Place {
  readonly method: string;
  readonly tool?: string | undefined;
  /** The context of the request, as the SDK passes it to a handler. */
  readonly context: unknown;
  /** What the caller sent: arguments, or the address that it asked for. @default nothing */
  readonly sent?: unknown;
}

/** A failure on its way to the caller. */
export interface Failure {
  readonly fault: Fault;
  /** What lies behind it, for the operator alone. */
  readonly cause?: unknown;
  /** Text of the cause was kept from the caller. @default false */
  readonly textHidden?: boolean;
}

/** Stamps faults before they are sent, and reports incidents. */
export class Reporter {
  readonly #options: GuardOptions;
  readonly #sink: Sink;
  readonly #hints: DevelopmentHints | undefined;
  readonly #now: () => number;
  readonly #random: () => Uint8Array;
  readonly #stats = { late: 0, looksFailed: 0, undeclared: 0 };

  constructor(options: GuardOptions) {
    installTextFilter();
    this.#options = options;
    this.#sink = options.sink ?? defaultSink;
    this.#hints = options.sink === undefined ? hintsOfProcess() : undefined;
    this.#now = options.now ?? Date.now;
    this.#random = options.random ?? randomBytes;
  }

  get stats(): GuardStats {
    return { ...this.#stats };
  }

  count(what: keyof GuardStats): void {
    this.#stats[what] += 1;
  }

  /** The fault as it is sent: without secrets of the request, stamped, and reported where it is an incident. */
  finalize(failure: Failure, place: Place): Fault {
    const { name, docsBase, reportCallerErrors, foreignText, allow } = this.#options;
    const now = this.#now();
    const secrets = secretsOf(place.context);
    const callerTexts = callerTextsFor(place.sent, this.#options);
    const released = releaseFault(failure.fault, { foreignText, allow, secrets, callerTexts });
    const { fault } = released;
    const textHidden = released.textHidden || failure.textHidden === true;
    // The fault as it arrived shows the operator what was hidden.
    const cause = failure.cause ?? (released.textHidden ? new FaultError(failure.fault) : undefined);
    if (textHidden) this.#hints?.hidden(cause, place.tool === undefined ? place.method : `tool "${place.tool}"`);
    const isReported = reportCallerErrors === true || shouldReport(fault, { textHidden });
    const out = stampFault(redactSecrets(fault, secrets), {
      incident: isReported ? formatId(now, this.#random()) : undefined,
      at: new Date(now).toISOString(),
      trace: traceOf(place.context),
      docsBase,
      origin: name === undefined ? fault.origin : { layer: "server", name },
    });
    if (isReported) this.report(out, cause, place, secrets);
    rememberSent(out);
    return out;
  }

  /** Reports an incident. */
  report(fault: Fault, cause: unknown, { method, tool, context }: Place, secrets = secretsOf(context)): void {
    deliver(this.#sink, {
      fault,
      at: fault.at ?? new Date(this.#now()).toISOString(),
      method,
      ...(cause !== undefined && { cause }),
      ...(tool !== undefined && { tool }),
      ...(secrets !== undefined && { secrets }),
    });
  }
}
