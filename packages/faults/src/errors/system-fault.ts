/** What happened in the system, the network or an HTTP client. Server, client and bridge share this list. */
export type SystemFailure =
  | "unknown_host"
  | "unreachable"
  | "certificate"
  | "tls"
  | "lost"
  /** The connection failed, and the runtime does not tell whether before or after the request was sent. */
  | "failed"
  | "timeout"
  | "cancelled"
  | "closed"
  | "overloaded"
  | "storage"
  | "bad_reply"
  | "reply_too_large"
  | "bad_call";

/** One failure. */
export interface SystemFault {
  readonly failure: SystemFailure;
  /** Whether it proves that no byte of a request was sent. */
  readonly unsent: boolean;
}

/** A failure that only comes before a request is sent. */
export const before = (failure: SystemFailure): SystemFault => Object.freeze({ failure, unsent: true });
/** A failure that can also come later. */
export const anytime = (failure: SystemFailure): SystemFault => Object.freeze({ failure, unsent: false });
