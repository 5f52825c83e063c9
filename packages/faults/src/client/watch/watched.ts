/** A `fetch`, as the SDK's HTTP transports take it. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** One attempt of one call, as `_meta["recourse/call"]` names it. */
export interface CallRef {
  readonly id: string;
  readonly attempt: number;
}

/**
 * How far an exchange came: `connect` no byte left this machine, `sent` it may have been sent, `headers` an answer
 * began, `body` some of it was read, `ended` it was read to its end.
 */
export type Phase = "connect" | "sent" | "headers" | "body" | "ended";

/** What was seen of an attempt on the wire. */
export interface Seen {
  /** How far the last exchange of the attempt came. */
  readonly phase: Phase;
  /** HTTP exchanges made for it; more than one means that the SDK repeated the request by itself. */
  readonly exchanges: number;
  readonly status?: number;
  /** Only headers that say what to do about a failure, by lower-case name. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The beginning of an answer that is no MCP message: of a failure, or of a success that is neither JSON nor SSE. */
  readonly body?: string;
  /** What `fetch` rejected with, or what broke the body. */
  readonly error?: unknown;
  readonly startedMs: number;
  readonly headersMs?: number;
  readonly endedMs?: number;
}

/** How the process of a stdio server ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** What is known of the connection as a whole. */
export interface ConnectionSeen {
  /** The last lines of the server's stderr: for the operator only, never for a fault. */
  readonly stderr: readonly string[];
  /** Set once the server's process has ended. */
  readonly exit?: Exit;
  /** The last exchange that failed and belonged to no call: initialize, a list, a notification. */
  readonly failed?: Seen;
}

/** Keeps what the SDK's clients drop. */
export interface Watched {
  /** For the `fetch` option of the SDK's HTTP transport; behaves exactly as the fetch it wraps. */
  readonly fetch: FetchLike;
  /** Watches the server process of a stdio transport with `stderr: "pipe"`; call it before `connect`. */
  child<T extends object>(transport: T): T;
  /** What was seen of one attempt; it is forgotten here. */
  take(call: CallRef): Seen | undefined;
  /** What is known of the connection as a whole. */
  connection(): ConnectionSeen;
  /** Resolves when the answer of an attempt can no longer come although the SDK still waits; rejects when aborted. */
  lost(call: CallRef, signal: AbortSignal): Promise<Seen>;
}
