import { classNameOf, peek, peekList, peekString } from "../../errors/peek.ts";
import { amendFault } from "../../fault/amend.ts";
import { FaultError } from "../../fault/error.ts";
import type { Fault, Origin } from "../../fault/fault.ts";
import { isRetryable, knownKind } from "../../fault/kinds.ts";
import type { FilterOptions } from "../../safety/filter-line.ts";
import { faultInside } from "../build-safely.ts";
import { internal } from "../library/core.ts";
import { execution_failed } from "../library/tool.ts";
import type { ErrorMatcher, FaultBuilder } from "./error-matcher.ts";
import { matchAbort, matchSystemError } from "./platform-errors.ts";
import { matchPostgresError } from "./postgres.ts";
import { matchSdkError } from "./sdk.ts";

/** What a caller may read of text that neither you nor Recourse wrote. */
export type ForeignText = "hide" | "quote";

/** Options of `toFault`. */
export interface ToFaultOptions extends FilterOptions {
  /**
   * What happens to the text of a thrown error: `quote` shows it as a quotation after filtering, `hide` keeps it for the
   * incident.
   * @default "hide"
   */
  readonly foreignText?: ForeignText;
  /** Where the fault was made. @default the server */
  readonly origin?: Origin;
}

const MATCHERS: readonly ErrorMatcher[] = [matchAbort, matchSdkError, matchPostgresError, matchSystemError];

/** How many errors are read of a chain of causes and aggregates. */
const MAX_CHAIN = 20;

/**
 * Turns any thrown value into a fault. It never throws. The text of a foreign error never becomes the message.
 *
 * @example
 * try {
 *   await work();
 * } catch (error) {
 *   const fault = toFault(error);
 *   console.log(render(fault, { for: "model" }));
 * }
 */
export function toFault(thrown: unknown, options: ToFaultOptions = {}): Fault {
  return convertThrown(thrown, options).fault;
}

/** A fault, and whether text of the thrown error was hidden from the caller. Hidden text has to be reported. */
export interface Converted {
  readonly fault: Fault;
  readonly textHidden: boolean;
}

/** Does the same as `toFault`, and also tells whether text was hidden. */
export function convertThrown(thrown: unknown, options: ToFaultOptions = {}): Converted {
  const stated = faultInside(thrown, options);
  // A cause that the author attached is for the operator.
  if (stated !== undefined) return { fault: stated, textHidden: hasForeignCause(thrown) };
  const quote = options.foreignText === "quote" ? thrownText(thrown) : undefined;
  const details = {
    secrets: options.secrets,
    allow: options.allow,
    callerTexts: options.callerTexts,
    ...(options.origin && { origin: options.origin }),
    ...(quote !== undefined && { quote: { text: quote, from: "thrown" as const } }),
  };
  for (const error of chainOf(thrown)) {
    const inner = error === thrown ? undefined : faultInside(error, options);
    if (inner !== undefined) return { fault: assumePossibleEffect(inner), textHidden: true };
    const build = builderFor(error);
    if (build === undefined) continue;
    const fault = assumePossibleEffect(build({ ...details, basis: "mapped" }));
    // The platform writes the text of an abort, and it says nothing more than the kind.
    return { fault, textHidden: fault.quote === undefined && matchAbort(error) === undefined };
  }
  const fault =
    quote === undefined ? undefined : execution_failed.fault({}, { ...details, recourse: MOVES_AFTER_QUOTE });
  // If the text was removed, the caller can do nothing with it, so the failure is reported like any other.
  if (fault?.quote === undefined) return { fault: internal.fault(undefined, details), textHidden: true };
  return { fault, textHidden: false };
}

/** Whether a FaultError has a cause that is not a FaultError. */
function hasForeignCause(thrown: unknown): boolean {
  return chainOf(thrown).some((error) => !FaultError.is(error));
}

/** The model should read the quotation, look at the current state, and not simply repeat the call. */
const MOVES_AFTER_QUOTE = [{ do: "refresh" }, { do: "stop" }] as const;

function builderFor(error: unknown): FaultBuilder | undefined {
  for (const match of MATCHERS) {
    const build = match(error);
    if (build !== undefined) return build;
  }
  return undefined;
}

/** A thrown error proves nothing about what the handler did before, so the call must not be repeated because of it. */
function assumePossibleEffect(fault: Fault): Fault {
  if (fault.effect !== "none" || !isRetryable(knownKind(fault))) return fault;
  return amendFault(fault, { effect: "possible" });
}

/** The thrown value, its causes and the errors of aggregates, the nearest first. */
function chainOf(thrown: unknown): unknown[] {
  const chain: unknown[] = [thrown];
  for (let at = 0; at < chain.length && chain.length < MAX_CHAIN; at++) {
    for (const next of [peek(chain[at], "cause"), ...peekList(chain[at], "errors", MAX_CHAIN)]) {
      if (next !== undefined && !chain.includes(next)) chain.push(next);
    }
  }
  return chain.slice(0, MAX_CHAIN);
}

/** Errors of the JavaScript engine. Their text may contain data, and was not written for a caller. */
const ENGINE_ERRORS = new Set(["SyntaxError", "ReferenceError", "EvalError", "InternalError"]);

/** The text of a thrown value: the string itself, or the message of an error that a program wrote. */
function thrownText(thrown: unknown): string | undefined {
  if (typeof thrown === "string") return thrown;
  return ENGINE_ERRORS.has(classNameOf(thrown) ?? "") ? undefined : peekString(thrown, "message");
}
