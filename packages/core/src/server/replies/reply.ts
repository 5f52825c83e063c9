import { mcp } from "../../dialects/mcp/dialect.ts";
import type { Fault } from "../../fault/fault.ts";
import { RequestMap, requestMeta } from "../../sdk/context.ts";
import { toClock } from "../../wire/clock.ts";
import { parseRevision } from "../../wire/revisions.ts";
import type { DialectRequest, GuardOptions } from "../options.ts";
import { rememberSent } from "../release.ts";
import type { FailurePlace } from "../reporter.ts";
import { describeAnswer, type Wire, type WireForm, writeInDialect } from "./dialect-choice.ts";

/**
 * An error that this kit wrote. It travels through the SDK as the `data` of an error, which the SDK does not look into, so
 * that the kit recognises it when it is sent.
 */
export class WrittenError {
  readonly error: WireForm;

  constructor(error: WireForm) {
    this.error = error;
  }

  /** If it is sent without the kit, it becomes the data that it stands for. */
  toJSON(): unknown {
    return this.error.data;
  }
}

/** A JSON-RPC error for the SDK to send: the SDK takes code, message and data of whatever is thrown. */
export class WireError extends Error {
  readonly code: number;
  readonly data: WrittenError;

  constructor(error: WireForm) {
    super(error.message);
    this.code = error.code;
    this.data = new WrittenError(error);
  }
}

/** Where a failure is answered. */
export interface ReplyPlace extends FailurePlace {
  /** Whether the tool has an output schema. */
  readonly outputSchema?: boolean | undefined;
  /** The template of the resource that was read. */
  readonly uriTemplate?: string | undefined;
  /** The answer is an error already, so it cannot become a tool result. */
  readonly asError?: true;
  /** The answer is a tool result already, so it cannot become an error. */
  readonly asResult?: true;
  /** The code that the protocol fixes for this very case; dialects other than `mcp` have their own codes. */
  readonly code?: number;
}

/** What was written for a fault, as the SDK takes it: returns a tool result, or throws a JSON-RPC error. */
export function reply({ error, result }: Wire): Readonly<Record<string, unknown>> {
  if (error !== undefined) throw new WireError(error);
  // The SDK adds the type of the result itself: it knows what its client understands.
  const { resultType: _type, ...rest } = result ?? {};
  return rest;
}

/** The answer for a fault, and what an incident says about it. */
export function describedReply(
  fault: Fault,
  place: ReplyPlace,
  options: Pick<GuardOptions, "dialect" | "docsBase" | "testing">,
  version?: string,
) {
  const wire = writeReply(fault, place, options, version);
  return { wire, facts: describeAnswer(fault, wire, options.dialect, dialectRequest(place)) };
}

/** The answer for a fault, in the dialect of the request and the protocol version that was negotiated. */
export function writeReply(
  fault: Fault,
  place: ReplyPlace,
  options: Pick<GuardOptions, "dialect" | "docsBase" | "testing">,
  version?: string,
): Wire {
  const { tool, outputSchema, uriTemplate } = place;
  const isCall = place.method === "tools/call" && place.asError !== true;
  const method = isCall || place.method !== "tools/call" ? place.method : "unknown";
  const revision = parseRevision(version);
  const context = { method, tool, outputSchema, uriTemplate, revision, docsBase: options.docsBase } as object;
  const own = options.dialect && writeInDialect(fault, options.dialect, dialectRequest(place), timed(context, options));
  if (own?.error !== undefined && place.asResult !== true) {
    // The HTTP edge of this process must not take the code of a dialect for one of MCP.
    rememberSent(own.error);
    return own;
  }
  // Only a tool can fail with a result. A dialect that has neither a result nor an error, such as `http`, does not fit.
  if (isCall && own?.result !== undefined) return own;
  const { error, result } = mcp.encode(fault, context) as Wire;
  return error === undefined ? { result: result ?? {} } : { error: { ...error, code: place.code ?? error.code } };
}

/** A system may demand a time even if the fault must not have one of its own, as on refused credentials. */
function timed(context: object, { testing }: Pick<GuardOptions, "testing">): object {
  return { ...context, at: new Date(toClock(testing).now()).toISOString() };
}

export function dialectRequest({ method, context }: FailurePlace): DialectRequest {
  return { method, meta: requestMeta(context) };
}

export const deferredErrors: RequestMap<WireError> = /* @__PURE__ */ new RequestMap();

/**
 * Answers from within a tool call, where the SDK turns whatever is thrown into text. A JSON-RPC error is therefore deferred
 * until the call is over, and an empty result takes its place meanwhile.
 */
export function replyToCall(wire: Wire, context: unknown): Readonly<Record<string, unknown>> {
  try {
    return reply(wire);
  } catch (error) {
    if (!(error instanceof WireError) || !deferredErrors.set(context, error)) throw error;
    return { content: [], isError: true };
  }
}
