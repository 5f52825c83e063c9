import { peekString } from "../../errors/peek.ts";
import { readSystemFault, type SystemFailure } from "../../errors/system-codes.ts";
import type { Fault } from "../../fault/fault.ts";
import type { ReasonOptions } from "../build-safely.ts";
import { cancelled, misconfigured, overloaded, timeout, unavailable, upstream_failed } from "../library/core.ts";

/** Builds the fault for a known error. */
export type MatchedFaultBuilder = (options: ReasonOptions) => Fault;

/** Recognises a known error by its class and codes, never by its text. Undefined if the error is not known. */
export type ErrorMatcher = (error: unknown) => MatchedFaultBuilder | undefined;

/** The builder of a reason that is called without params. */
export function withoutParams(reason: {
  fault(params?: undefined, options?: ReasonOptions): Fault;
}): MatchedFaultBuilder {
  return (options) => reason.fault(undefined, options);
}

const ABORTS = {
  AbortError: withoutParams(cancelled),
  CanceledError: withoutParams(cancelled),
  CancelledError: withoutParams(cancelled),
  TimeoutError: withoutParams(timeout),
} as const;

/** Matches aborts and timeouts of the platform and of common HTTP clients. */
export const matchAbort: ErrorMatcher = (error) => {
  const name = domExceptionName(error) ?? peekString(error, "name");
  if (name !== undefined && Object.hasOwn(ABORTS, name)) return ABORTS[name as keyof typeof ABORTS];
  return peekString(error, "code") === "ABORT_ERR" ? ABORTS.AbortError : undefined;
};

interface Globals {
  readonly DOMException?: { readonly prototype: object };
}

/** The name of a DOMException. It is behind a getter of the platform, which throws for any other object. */
function domExceptionName(error: unknown): string | undefined {
  const prototype = (globalThis as Globals).DOMException?.prototype;
  if (prototype === undefined) return undefined;
  try {
    // This check is much cheaper than a getter that throws.
    if (!Object.prototype.isPrototypeOf.call(prototype, error as object)) return undefined;
    const name: unknown = Reflect.getOwnPropertyDescriptor(prototype, "name")?.get?.call(error);
    return typeof name === "string" ? name : undefined;
  } catch {
    return undefined;
  }
}

/** What a failure of the system, the network or an HTTP client means for the call. */
const SYSTEM_FAILURES = {
  unknown_host: withoutParams(misconfigured),
  unreachable: withoutParams(unavailable),
  certificate: withoutParams(misconfigured),
  tls: withoutParams(misconfigured),
  lost: withoutParams(unavailable),
  failed: withoutParams(unavailable),
  timeout: withoutParams(timeout),
  cancelled: withoutParams(cancelled),
  closed: withoutParams(unavailable),
  overloaded: withoutParams(overloaded),
  storage: withoutParams(misconfigured),
  bad_reply: withoutParams(upstream_failed),
  reply_too_large: withoutParams(upstream_failed),
  bad_call: undefined,
} as const satisfies Record<SystemFailure, MatchedFaultBuilder | undefined>;

/** Matches errors of the system, of sockets, of TLS and of HTTP clients by their code. */
export const matchSystemError: ErrorMatcher = (error) => {
  const found = readSystemFault(error);
  return found === undefined ? undefined : SYSTEM_FAILURES[found.failure];
};
