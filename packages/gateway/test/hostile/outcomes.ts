// What a hostile input may get. Every answer is one of these, or the connection is closed.

export interface Outcome {
  readonly statuses: readonly number[];
  /** The reason of the fault in the answer; undefined where Node answers before there is a call, and there is no body. */
  readonly reason?: string | readonly string[];
  /** Whether closing the connection without an answer is right as well. */
  readonly mayClose?: boolean;
}

export const OUTCOMES = {
  /** The call was in order after all, and the upstream answered it. */
  served: { statuses: [200] },
  "served or closed": { statuses: [200], mayClose: true },
  accepted: { statuses: [202] },
  /** It was never a request of HTTP: the parser of Node refuses it. */
  "not http": { statuses: [400, 505], mayClose: true },
  "no such method": { statuses: [400, 405, 501], mayClose: true },
  "head too large": { statuses: [431, 400], mayClose: true },
  closed: { statuses: [], mayClose: true },
  "wrong method": { statuses: [405], reason: "protocol/http_method" },
  "page, wrong method": { statuses: [405], reason: "core/unsupported" },
  "no such path": { statuses: [404], reason: "core/not_found" },
  unauthorized: { statuses: [401], reason: "auth/unauthorized" },
  denied: { statuses: [403], reason: "auth/access_denied" },
  "wrong type": { statuses: [415], reason: "content/invalid_type" },
  "too large": { statuses: [413], reason: "content/message_too_large" },
  "expectation failed": { statuses: [417] },
  /** The body broke off, or its framing is not HTTP: Node ends the connection. */
  "broken body": { statuses: [400, 413], mayClose: true },
  "not utf-8": { statuses: [400], reason: ["content/invalid_encoding", "protocol/parse_error"] },
  "not json": { statuses: [400], reason: "protocol/parse_error" },
  "invalid request": { statuses: [400], reason: "protocol/invalid_request" },
  "header mismatch": { statuses: [400], reason: "protocol/header_mismatch" },
  "invalid params": { statuses: [400, 200], reason: "protocol/invalid_params" },
  "malformed call": { statuses: [200, 400], reason: "protocol/malformed_call" },
  /** Its time was over before it left. */
  "not sent": { statuses: [200], reason: "transport/not_sent" },
  "no such version": { statuses: [400], reason: "protocol/version_unsupported" },
  "unknown method": { statuses: [404, 200], reason: "protocol/method_not_found" },
  "unknown tool": { statuses: [200, 400, 404], reason: "tool/not_found" },
  "too slow": { statuses: [408], reason: "core/timeout" },
} as const satisfies Record<string, Outcome>;
export type OutcomeName = keyof typeof OUTCOMES;

/** One hostile input. */
export interface Hostile {
  readonly name: string;
  readonly send: readonly (string | Buffer)[];
  readonly expect: OutcomeName;
  /** What the sender does after the last byte. @default "wait" */
  readonly ending?: "wait" | "end" | "reset";
  /** How many answers there are, each of the same class. @default 1 */
  readonly answers?: number;
}
