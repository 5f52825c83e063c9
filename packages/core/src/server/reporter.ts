import { redactSecrets, stampFault } from "../fault/amend.ts";
import { FaultError } from "../fault/error.ts";
import type { Fault, Origin } from "../fault/fault.ts";
import { severityOf, shouldReport } from "../fault/severity.ts";
import { deliverIncident, type Sink } from "../incidents/incident.ts";
import { stderrSink } from "../incidents/sinks.ts";
import type { GuardedCode } from "../reasons/thrown/frames.ts";
import { loadTextFilter } from "../safety/full-search.ts";
import { requestMeta, requestSecrets, requestTrace } from "../sdk/context.ts";
import { type Clock, toClock } from "../wire/clock.ts";
import { formatId, randomBytes } from "../wire/ids.ts";
import { type DevelopmentHints, hintsOfProcess } from "./development-hints.ts";
import type { GuardOptions } from "./options.ts";
import { callerTextsFor, releaseFault, rememberSent } from "./release.ts";
import { foreignTextFor } from "./replies/dialect-choice.ts";
import {
  type AnswerSummary,
  type FailurePlace,
  type FinishedFailure,
  type PendingFailure,
  requestSpans,
  type WrittenFault,
} from "./replies/reply.ts";

/** One for all: over HTTP there may be a server, and so a reporter, for each request. */
const defaultSink = /* @__PURE__ */ stderrSink();

/** The name of this server, unless the fault was made elsewhere. */
export function serverOrigin({ origin }: Fault, name: string | undefined): Origin {
  const isOurs = origin.layer === "server" && origin.name === undefined;
  return name !== undefined && isOurs ? { layer: "server", name } : origin;
}

/** Stamps faults before they are sent, and reports incidents. */
export class Reporter {
  /** The code whose failures are reported. */
  readonly guarded: GuardedCode;
  readonly #options: GuardOptions;
  readonly #sink: Sink;
  readonly #hints: DevelopmentHints | undefined;
  readonly #clock: Clock;
  readonly #answer: (fault: Fault, place: FailurePlace) => WrittenFault;

  constructor(
    options: GuardOptions,
    answer: (fault: Fault, place: FailurePlace) => WrittenFault,
    guarded: GuardedCode = { packageName: undefined },
  ) {
    loadTextFilter();
    this.guarded = guarded;
    this.#options = options;
    this.#sink = options.sink ?? defaultSink;
    this.#hints = options.sink === undefined ? hintsOfProcess() : undefined;
    this.#clock = toClock(options.testing);
    this.#answer = answer;
  }

  /** The failure as it is sent: without secrets of the request, stamped, and reported if it is an incident. */
  finish(failure: PendingFailure, place: FailurePlace): FinishedFailure {
    const { name, docsBase, reportCallerErrors, allow } = this.#options;
    const foreignText = foreignTextFor(this.#options, { method: place.method, meta: requestMeta(place.context) });
    const now = this.#clock.now();
    const secrets = requestSecrets(place.context);
    const callerTexts = callerTextsFor(place.sent, foreignText === undefined ? {} : { foreignText });
    const released = releaseFault(failure.fault, { foreignText, allow, secrets, callerTexts });
    const { fault } = released;
    const textHidden = released.textHidden || failure.textHidden === true;
    // The fault as it arrived shows the operator what was hidden.
    const arrived = released.textHidden ? new FaultError(failure.fault) : undefined;
    const cause = failure.cause === undefined ? arrived : failure.cause;
    if (textHidden) {
      const where = place.tool === undefined ? place.method : `tool "${place.tool}"`;
      this.#hints?.hidden(cause, where, { secrets, cutBy: failure.cutBy });
    }
    const isReported = reportCallerErrors === true || shouldReport(fault, { textHidden });
    const out = stampFault(redactSecrets(fault, secrets), {
      // The id of a server that reported it first stays, so that one id finds the failure in every log.
      incident: isReported ? (fault.incident ?? this.#createId(now)) : undefined,
      at: new Date(now).toISOString(),
      trace: requestTrace(place.context),
      docsBase,
      origin: serverOrigin(fault, name),
    });
    const answer = this.#answer(out, place);
    requestSpans.get(place.context)?.failed(out, answer.facts);
    if (isReported) this.#deliver(out, cause, place, answer.facts, secrets);
    rememberSent(out);
    return { ...answer, fault: out };
  }

  #createId(now: number): string {
    return this.#options.testing?.createId?.() ?? formatId(now, randomBytes());
  }

  /** Reports an incident that the caller does not learn about. */
  report(
    fault: Fault,
    cause: unknown,
    place: FailurePlace,
    facts: AnswerSummary = { severity: severityOf(fault) },
  ): void {
    this.#deliver(fault, cause, place, facts);
  }

  /** Tells the operator about a failure that is no incident: its sentence is for the caller, its stack is not. */
  note({ fault, facts }: FinishedFailure, cause: unknown, place: FailurePlace): void {
    this.#deliver(fault, cause, place, facts);
  }

  #deliver(
    fault: Fault,
    cause: unknown,
    { method, tool, context, startedMs }: FailurePlace,
    answered: AnswerSummary,
    secrets = requestSecrets(context),
  ): void {
    const { now, monotonic } = this.#clock;
    deliverIncident(this.#sink, {
      fault,
      at: fault.at ?? new Date(now()).toISOString(),
      method,
      ...answered,
      ...(startedMs !== undefined && { durationMs: Math.max(0, Math.round(monotonic() - startedMs)) }),
      ...(cause !== undefined && { cause }),
      ...(tool !== undefined && { tool }),
      ...(secrets !== undefined && { secrets }),
    });
  }
}
