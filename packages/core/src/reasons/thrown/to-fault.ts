import { peek, peekInteger, peekString, readClassName } from "../../errors/peek.ts";
import { amendFault } from "../../fault/amend.ts";
import { FAULT_MEMBERS } from "../../fault/clean.ts";
import { FaultError } from "../../fault/error.ts";
import type { Fault, Origin } from "../../fault/fault.ts";
import { isRetryable, type Kind, knownKind } from "../../fault/kinds.ts";
import { noteAssumedEffect, RELEASED } from "../../fault/provenance.ts";
import { wasCut } from "../../safety/cut-text.ts";
import { installTextFilter } from "../../safety/full-search.ts";
import { type FilterOptions, limitReading, pickFilterOptions } from "../../safety/show-line.ts";
import { faultInside, type ReasonOptions } from "../build-safely.ts";
import { readOpenedReply } from "../http/read-reply.ts";
import { openHttpReply } from "../http/reply.ts";
import { internal } from "../library/core.ts";
import { execution_failed } from "../library/tool.ts";
import { adapterErrorFault } from "./adapter-errors.ts";
import { errorChain, libraryChain, type Reply } from "./meaning.ts";
import { type PublicError, readPublicError, sdkText } from "./public-errors.ts";
import { readMeaning, type ThrownFacts } from "./table.ts";

/**
 * What a caller may read of text that neither you nor Recourse wrote. Whatever is shown has passed the filters and is marked
 * as a quotation.
 * - `hide`: nothing.
 * - `public`: text that a program addressed to its caller. That is what another MCP server said, what a service said about a
 *   mistake of the caller, and errors made for callers, such as `McpError` with `InvalidParams` or `createError(404, …)`.
 * - `quote`: also the text of every other thrown error and of every other failed service.
 */
export type ForeignText = "hide" | "public" | "quote";

/** Options of `toFault`. */
export interface ToFaultOptions extends FilterOptions {
  /**
   * Which text of a thrown error is shown, after filtering, as a quotation. `hide` shows none. `public` shows the text of
   * errors that their author made for the caller: protocol errors -32600, -32601, -32602 and -32002 of the MCP SDK, errors
   * with `expose: true` and a 4xx status (http-errors, Koa, Express), errors of Fastify, Hono, Boom, tRPC and GraphQL that
   * blame the caller, and FastMCP's `UserError`. `quote` shows the text of every thrown error. Text that is not shown is for
   * the incident.
   * @default "public"
   */
  readonly foreignText?: ForeignText;
  /** Where the fault was made. @default the server */
  readonly origin?: Origin;
  /**
   * The signal of the caller. An abort counts as `cancelled` only if this signal was aborted.
   * @default none: an abort is a limit of time that your own code set, so it is a `timeout`
   */
  readonly signal?: AbortSignal | undefined;
}

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
  installTextFilter();
  return convertThrown(thrown, options).fault;
}

/** A fault, and whether text of the thrown error was hidden from the caller. Hidden text has to be reported. */
export interface ConvertedError {
  readonly fault: Fault;
  readonly textHidden: boolean;
}

export interface ConvertOptions extends ToFaultOptions {
  /** The package of the code whose failures are read, the empty text for code in none. @default that is not known */
  readonly ownPackage?: string | undefined;
}

/** Does the same as `toFault`, and also tells whether text was hidden. */
export function convertThrown(thrown: unknown, options: ConvertOptions = {}): ConvertedError {
  return limitReading(() => convert(thrown, options));
}

function convert(thrown: unknown, options: ConvertOptions): ConvertedError {
  const stated = faultInside(thrown, options);
  // A cause that the author attached is for the operator.
  if (stated !== undefined) return { fault: stated, textHidden: hasForeignCause(thrown) };
  const filter = { secrets: options.secrets, allow: options.allow, callerTexts: options.callerTexts };
  const origin = options.origin && { origin: options.origin };
  const ofAdapter = adapterErrorFault(thrown, { ...filter, ...origin });
  if (ofAdapter !== undefined) {
    const isShown = ofAdapter.params?.["originalError"] === peek(thrown, "identifier");
    return { fault: ofAdapter, textHidden: !isShown || hasForeignCause(thrown) };
  }
  const known = readPublicError(thrown);
  const quote = permittedText(thrown, known, options.foreignText);
  const details = {
    ...filter,
    ...origin,
    ...(quote !== undefined && { quote: { text: quote, from: "thrown" as const } }),
  };
  if (known !== undefined) {
    const fault = assumePossibleEffect(known.build({ ...details, basis: "mapped" }));
    const isSilent = peekString(thrown, "message") === "";
    return { fault, textHidden: (wasCut(fault.quote?.text, quote ?? "") && !isSilent) || hasForeignCause(thrown) };
  }
  for (const error of libraryChain(thrown)) {
    const inner = error === thrown ? undefined : (faultInside(error, options) ?? adapterErrorFault(error, filter));
    if (inner !== undefined) return { fault: assumePossibleEffect(inner), textHidden: true };
  }
  const ofLibrary = libraryFault(thrown, { ...options, foreignText: options.foreignText ?? "public" }, details);
  if (ofLibrary !== undefined) return ofLibrary;
  const fault =
    quote === undefined ? undefined : execution_failed.fault({}, { ...details, recourse: MOVES_AFTER_QUOTE });
  // If the text was removed, the caller can do nothing with it, so the failure is reported like any other.
  if (fault?.quote === undefined) return { fault: internal.fault(undefined, details), textHidden: true };
  return { fault, textHidden: wasCut(fault.quote.text, quote ?? "") };
}

function hasForeignCause(thrown: unknown): boolean {
  return errorChain(thrown).some((error) => error !== thrown && !FaultError.is(error));
}

/** The model should read the quotation, look at the current state, and not simply repeat the call. */
const MOVES_AFTER_QUOTE = [{ do: "refresh" }, { do: "stop" }] as const;

function libraryFault(
  thrown: unknown,
  options: ConvertOptions & { readonly foreignText: ForeignText },
  details: ReasonOptions,
): ConvertedError | undefined {
  const facts: ThrownFacts = {
    callerTexts: options.callerTexts ?? [],
    isAborted: options.signal?.aborted === true,
    ownPackage: options.ownPackage,
  };
  const read = readMeaning(thrown, facts);
  if (read === undefined) return undefined;
  const { meaning, didNothing, isGuess } = read;
  const ended = (fault: Fault) => (didNothing ? fault : assumePossibleEffect(fault));
  if ("reply" in meaning) {
    const built = thrownReplyFault(meaning.reply, options.foreignText, details);
    if (built === undefined) return undefined;
    // A credential that is refused, and whatever else a reason itself states, needs no other proof.
    const fault = built.retry?.allowed === false ? built : ended(built);
    return { fault, textHidden: wasCut(fault.quote?.text, details.quote?.text ?? "") };
  }
  const { reason, afterMs, issues, isSilent } = meaning.accident;
  const fault = ended(
    reason.fault(undefined, {
      ...details,
      basis: isGuess ? "guessed" : "mapped",
      ...(issues !== undefined && { issues }),
      ...(afterMs !== undefined && { retry: { allowed: true, afterMs } }),
      ...(didNothing && { effect: "none" }),
    }),
  );
  return { fault, textHidden: wasCut(fault.quote?.text, details.quote?.text ?? "") && isSilent !== true };
}

/** A thrown error proves nothing about what the handler did before, so the call must not be repeated because of it. */
function assumePossibleEffect(fault: Fault): Fault {
  if (fault.effect !== "none" || !isRetryable(knownKind(fault))) return fault;
  const assumed = amendFault(fault, { effect: "possible" });
  noteAssumedEffect(assumed);
  return assumed;
}

/** Errors of the JavaScript engine. Their text may contain data, and was not written for a caller. */
const ENGINE_ERRORS = new Set(["SyntaxError", "ReferenceError", "EvalError", "InternalError"]);

/** The text of a thrown value that the option lets through to the filter. */
function permittedText(
  thrown: unknown,
  known: PublicError | undefined,
  mode: ForeignText = "public",
): string | undefined {
  switch (mode) {
    case "hide":
      return undefined;
    case "public":
      return known?.text;
    case "quote":
      return known?.text ?? thrownText(thrown);
    default:
      mode satisfies never;
      return undefined;
  }
}

/** The text of a thrown value: the string itself, or the message of an error that a program wrote. */
function thrownText(thrown: unknown): string | undefined {
  if (typeof thrown === "string") return thrown;
  if (ENGINE_ERRORS.has(readClassName(thrown) ?? "")) return undefined;
  return sdkText(thrown, peekInteger(thrown, "code") ?? 0);
}

/** Kinds that are about the service itself. What it says then is for its operators, not for a caller. */
const NOT_FOR_CALLERS: readonly Kind[] = ["upstream_failed", "unavailable", "timeout", "internal", "unknown"];

/**
 * The fault of a reply of another service that a library threw as an error. The credential that the service saw is the one of
 * this server, so no caller is asked for another one.
 */
function thrownReplyFault(reply: Reply, mode: "hide" | "public" | "quote", details: ReasonOptions): Fault | undefined {
  const { status, headers, body, isGuess = false, afterMs } = reply;
  const wire = { status, headers, ...(body !== undefined && { body }) };
  const filter = { ...pickFilterOptions(details), textPolicy: "foreign" } as const;
  const isShown = mode === "quote" || (mode === "public" && !isGuess && status < 500);
  const opened = openHttpReply(wire, { ...filter, credential: "own", text: isShown ? "quote" : "hide" });
  const read = opened && readOpenedReply(opened);
  if (read === undefined) return undefined;
  const isPrivate = mode !== "quote" && NOT_FOR_CALLERS.includes(knownKind(read));
  const isWaiting = afterMs !== undefined && read.retry?.afterMs === undefined && read.retry?.allowed !== false;
  return amendFault(
    read,
    {
      quote: isPrivate ? undefined : (read.quote ?? FAULT_MEMBERS.quote.clean(details.quote, filter)),
      ...(isWaiting && { retry: { allowed: true, afterMs } }),
      ...(isGuess && { basis: "guessed" }),
      ...(details.origin !== undefined && { origin: details.origin as Fault["origin"] }),
      ...(status === 409 && { effect: "possible" }),
    },
    // Which texts are shown is decided here.
    { provenance: RELEASED },
  );
}
