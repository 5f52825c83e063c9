import type { Fault } from "../../fault/fault.ts";
import type { Incident, OperationSpan } from "../../incidents/incident.ts";
import { RequestMap, requestMeta } from "../../sdk/context.ts";
import { isObject, type JsonObject } from "../../wire/json.ts";
import type { DialectRequest } from "../options.ts";
import type { Wire, WireForm } from "./dialect-choice.ts";

/** The spans of requests. There are none if requests are not traced. */
export const requestSpans: RequestMap<OperationSpan> = /* @__PURE__ */ new RequestMap();

export interface FailurePlace {
  readonly method: string;
  readonly tool?: string | undefined;
  /** The context of the request, as the SDK passes it to a handler. */
  readonly context: unknown;
  /** What the caller sent: arguments, or the address that it asked for. @default nothing */
  readonly sent?: unknown;
  /** When the request arrived, on the monotonic clock. @default unknown */
  readonly startedMs?: number | undefined;
}

export interface PendingFailure {
  readonly fault: Fault;
  /** What lies behind it, for the operator alone. */
  readonly cause?: unknown;
  /** Text of the cause was kept from the caller. @default false */
  readonly textHidden?: boolean;
  /** The rule that cut something out of a sentence that was thrown. @default none */
  readonly cutBy?: string | undefined;
}

export type AnswerSummary = Pick<Incident, "code" | "isError" | "severity">;

export interface WrittenFault {
  readonly wire: Wire;
  readonly facts: AnswerSummary;
}

export interface FinishedFailure extends WrittenFault {
  readonly fault: Fault;
}

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

/** A failure that is answered when it is sent: it was found where nothing can wait. */
export class LateFailure {
  readonly failure: PendingFailure;
  readonly place: ReplyPlace;

  constructor(failure: PendingFailure, place: ReplyPlace) {
    this.failure = failure;
    this.place = place;
  }
}

/** Carries such a failure through the SDK. */
export class LateError extends Error {
  readonly data: LateFailure;

  constructor(failure: PendingFailure, place: ReplyPlace) {
    super(failure.fault.message);
    this.data = new LateFailure(failure, place);
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

/** Results that may leave this process as they are, whatever they say. */
const relayed = new WeakSet<object>();

/** Marks a failed result whose texts were checked elsewhere, or are passed on because the operator wants it. */
export function markRelayed<R extends object>(result: R): R {
  relayed.add(result);
  return result;
}

export function isFailedResult(result: unknown): result is JsonObject {
  return isObject(result) && Boolean(result["isError"]) && !relayed.has(result);
}

/** The calls whose answer was checked. A handler that replaces the SDK's own checks nothing. */
export const answeredCalls: RequestMap<true> = /* @__PURE__ */ new RequestMap();
