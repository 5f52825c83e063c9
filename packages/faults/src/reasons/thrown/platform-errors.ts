import { peekString } from "../../errors/peek.ts";
import { systemFaultOf } from "../../errors/system-codes.ts";
import type { SystemFailure } from "../../errors/system-fault.ts";
import { cancelled, misconfigured, overloaded, timeout, unavailable, upstream_failed } from "../library/core.ts";
import { type ErrorMatcher, type FaultBuilder, withoutParams } from "./error-matcher.ts";

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
} as const satisfies Record<SystemFailure, FaultBuilder | undefined>;

/** Matches errors of the system, of sockets, of TLS and of HTTP clients by their code. */
export const matchSystemError: ErrorMatcher = (error) => {
  const found = systemFaultOf(error);
  return found === undefined ? undefined : SYSTEM_FAILURES[found.failure];
};
