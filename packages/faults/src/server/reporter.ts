import { FaultError } from "../fault/error.ts";
import type { Fault, Origin } from "../fault/fault.ts";
import { formatId } from "../fault/id.ts";
import { redactSecrets } from "../fault/redact-secrets.ts";
import { severityOf } from "../fault/severity.ts";
import { shouldReport } from "../fault/should-report.ts";
import { stampFault } from "../fault/stamp.ts";
import { deliver, type Incident, type Sink } from "../incidents/incident.ts";
import { stderrSink } from "../incidents/sinks.ts";
import { randomBytes } from "../platform/random.ts";
import { installTextFilter } from "../safety/foreign-text.ts";
import { metaOf, secretsOf, traceOf } from "../sdk/context.ts";
import { callerTextsFor } from "./calls/sent-by-caller.ts";
import { type DevelopmentHints, hintsOfProcess } from "./development-hints.ts";
import type { GuardOptions, GuardStats } from "./options.ts";
import { releaseFault } from "./release.ts";
import { foreignTextFor } from "./replies/dialect-choice.ts";
import { rememberSent } from "./sent-faults.ts";
import { spanOf } from "./spans.ts";

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
  /** When the request arrived, in ms since 1970. @default unknown */
  readonly startedMs?: number | undefined;
}

/** A failure on its way to the caller. */
export interface Failure {
  readonly fault: Fault;
  /** What lies behind it, for the operator alone. */
  readonly cause?: unknown;
  /** Text of the cause was kept from the caller. @default false */
  readonly textHidden?: boolean;
}

/** What an incident says about the answer to a failure. */
type Answered = Pick<Incident, "code" | "isError" | "severity">;

/** The name of this server, unless the fault was made elsewhere. */
export function originOf({ origin }: Fault, name: string | undefined): Origin {
  const isOurs = origin.layer === "server" && origin.name === undefined;
  return name !== undefined && isOurs ? { layer: "server", name } : origin;
}

/** Stamps faults before they are sent, and reports incidents. */
export class Reporter {
  readonly #options: GuardOptions;
  readonly #sink: Sink;
  readonly #hints: DevelopmentHints | undefined;
  readonly #now: () => number;
  readonly #random: () => Uint8Array;
  readonly #answered: (fault: Fault, place: Place) => Answered;
  readonly #stats = { late: 0, looksFailed: 0, undeclared: 0 };

  /** `answered` describes the answer that a fault is sent as. */
  constructor(options: GuardOptions, answered: (fault: Fault, place: Place) => Answered) {
    installTextFilter();
    this.#options = options;
    this.#sink = options.sink ?? defaultSink;
    this.#hints = options.sink === undefined ? hintsOfProcess() : undefined;
    this.#now = options.now ?? Date.now;
    this.#random = options.random ?? randomBytes;
    this.#answered = answered;
  }

  get stats(): GuardStats {
    return { ...this.#stats };
  }

  /** The time, in ms since 1970. */
  now(): number {
    return this.#now();
  }

  count(what: keyof GuardStats): void {
    this.#stats[what] += 1;
  }

  /** The fault as it is sent: without secrets of the request, stamped, and reported where it is an incident. */
  finalize(failure: Failure, place: Place): Fault {
    const { name, docsBase, reportCallerErrors, allow } = this.#options;
    const foreignText = foreignTextFor(this.#options, { method: place.method, meta: metaOf(place.context) });
    const now = this.#now();
    const secrets = secretsOf(place.context);
    const callerTexts = callerTextsFor(place.sent, foreignText === undefined ? {} : { foreignText });
    const released = releaseFault(failure.fault, { foreignText, allow, secrets, callerTexts });
    const { fault } = released;
    const textHidden = released.textHidden || failure.textHidden === true;
    // The fault as it arrived shows the operator what was hidden.
    const arrived = released.textHidden ? new FaultError(failure.fault) : undefined;
    const cause = failure.cause === undefined ? arrived : failure.cause;
    if (textHidden) this.#hints?.hidden(cause, place.tool === undefined ? place.method : `tool "${place.tool}"`);
    const isReported = reportCallerErrors === true || shouldReport(fault, { textHidden });
    const out = stampFault(redactSecrets(fault, secrets), {
      // The id of a server that reported it first stays, so that one id finds the failure in every log.
      incident: isReported ? (fault.incident ?? formatId(now, this.#random())) : undefined,
      at: new Date(now).toISOString(),
      trace: traceOf(place.context),
      docsBase,
      origin: originOf(fault, name),
    });
    const span = spanOf(place.context);
    if (isReported || span !== undefined) {
      const answered = this.#answered(out, place);
      span?.failed(out, answered);
      if (isReported) this.#deliver(out, cause, place, answered);
    }
    rememberSent(out);
    return out;
  }

  /** Reports an incident that the caller does not learn about. */
  report(fault: Fault, cause: unknown, place: Place, facts: Answered = { severity: severityOf(fault) }): void {
    this.#deliver(fault, cause, place, facts);
  }

  #deliver(fault: Fault, cause: unknown, { method, tool, context, startedMs }: Place, answered: Answered): void {
    const now = this.#now();
    const secrets = secretsOf(context);
    deliver(this.#sink, {
      fault,
      at: fault.at ?? new Date(now).toISOString(),
      method,
      ...answered,
      ...(startedMs !== undefined && { durationMs: Math.max(0, Math.round(now - startedMs)) }),
      ...(cause !== undefined && { cause }),
      ...(tool !== undefined && { tool }),
      ...(secrets !== undefined && { secrets }),
    });
  }
}
