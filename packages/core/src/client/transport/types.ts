import type { SecretFilter } from "../../safety/secrets.ts";
import type { Exit } from "../../sdk/stdio.ts";

/** A `fetch`, as the SDK's HTTP transports take it. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** One attempt of one call, as `_meta["recourse/call"]` names it. */
export interface CallRef {
  /** Id of the call, the same for all of its attempts. */
  readonly id: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
}

/**
 * How far an HTTP exchange came: `connect` no byte left this machine, `sent` the request may have been sent, `headers` an
 * answer began, `body` some of it was read, `ended` all of it was read.
 */
export type Phase = "connect" | "sent" | "headers" | "body" | "ended";

/** What an observer recorded of the HTTP exchanges of one attempt. */
export interface ExchangeRecord {
  /** How far the last exchange of the attempt came. */
  readonly phase: Phase;
  /** HTTP exchanges made for the attempt; more than one means that the SDK repeated the request by itself. */
  readonly exchanges: number;
  /** HTTP status of the last exchange. */
  readonly status?: number;
  /** Headers that say what to do about a failure, by lower-case name; no others. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The beginning of an answer that is not an MCP message: of a failure, or of a success that is neither JSON nor SSE. */
  readonly body?: string;
  /** What `fetch` rejected with, or what broke the body. */
  readonly error?: unknown;
  /** When the exchange began, in ms since 1970. */
  readonly startedMs: number;
  /** When its headers came. */
  readonly headersMs?: number;
  /** When it ended. */
  readonly endedMs?: number;
}

/** What an observer recorded of the connection as a whole. */
export interface ConnectionRecord {
  /** The last lines of the server's stderr: for the operator only, never for a fault. */
  readonly stderr: readonly string[];
  /** Finds the credentials that requests carried; no fault contains one. */
  readonly credentials?: SecretFilter | undefined;
  /** Set once the server's process has ended. */
  readonly exit?: Exit;
  /** The last exchange that failed and belonged to no call: initialize, a list, a notification. */
  readonly failed?: ExchangeRecord;
}

/** Records what the SDK's clients drop. */
export interface TransportObserver {
  /** For the `fetch` option of the SDK's HTTP transport; behaves exactly as the fetch it wraps. */
  readonly fetch: FetchLike;
  /** Observes the server process of a stdio transport with `stderr: "pipe"`; call it before `connect`. */
  child<T extends object>(transport: T): T;
  /** Ends the exchange of an attempt that was given up: the SDK would keep its connection open. */
  abandon(call: CallRef): void;
  /** Returns the record of one attempt, and forgets it. */
  take(call: CallRef): ExchangeRecord | undefined;
  /** What was recorded of the connection as a whole. */
  connection(): ConnectionRecord;
  /** Resolves when the answer of an attempt can no longer come although the SDK still waits; rejects when aborted. */
  lost(call: CallRef, signal: AbortSignal): Promise<ExchangeRecord>;
}
