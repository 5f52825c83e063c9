import { type SystemFailure, systemFaultOf } from "@recourse/faults/internal-do-not-use";
import { AddressNotAllowed } from "./addresses.ts";

/** Why there is no reply. */
export type FailureCode =
  /** The address may not be reached. */
  | "address_not_allowed"
  /** The setup is wrong: a host name that does not exist, a certificate that does not fit. */
  | "misconfigured"
  | "unreachable"
  /** The connection ended before the reply was complete. */
  | "connection_lost"
  | "timeout"
  /** The reply is not HTTP, or its content encoding cannot be decoded. */
  | "unreadable"
  | "too_large"
  /** Too many requests are running or waiting. */
  | "overloaded"
  /** The caller no longer waits. */
  | "cancelled"
  /** The bridge was closed. */
  | "closed";

/** A request without a reply. */
export interface ExchangeFailure {
  readonly code: FailureCode;
  /** Whether any part of the request may have been sent. */
  readonly sent: boolean;
  /** The thrown error, for the operator. */
  readonly cause?: unknown;
}

/** Why the body of a reply is missing although its head arrived. */
export type BodyError = Extract<FailureCode, "connection_lost" | "timeout" | "unreadable" | "too_large" | "cancelled">;

/** The code of each system failure; undefined where it depends on whether the request was sent. */
const CODE_BY_SYSTEM_FAILURE = {
  unknown_host: "misconfigured",
  unreachable: undefined,
  certificate: "misconfigured",
  tls: "misconfigured",
  lost: undefined,
  failed: undefined,
  timeout: "timeout",
  cancelled: "cancelled",
  closed: "closed",
  overloaded: "overloaded",
  storage: undefined,
  bad_reply: "unreadable",
  reply_too_large: "too_large",
  bad_call: "misconfigured",
} as const satisfies Record<SystemFailure, FailureCode | undefined>;

/** The failure behind an error of a connection. For an unknown error, `sent` decides. */
export function toExchangeFailure(cause: unknown, sent: boolean): ExchangeFailure {
  return { code: failureCode(cause) ?? (sent ? "connection_lost" : "unreachable"), sent, cause };
}

function failureCode(cause: unknown): FailureCode | undefined {
  if (cause instanceof AddressNotAllowed) return "address_not_allowed";
  const found = systemFaultOf(cause);
  // A connection that took too long was never made.
  if (found === undefined || (found.failure === "timeout" && found.unsent)) return undefined;
  return CODE_BY_SYSTEM_FAILURE[found.failure];
}
