import type { BoundedText } from "./bounded-text.ts";
import { keptHeaders } from "./kept-headers.ts";
import type { Phase, Seen } from "./watched.ts";

/** One HTTP exchange, as it goes on. */
export interface Exchange {
  phase: Phase;
  readonly startedMs: number;
  headersMs?: number;
  endedMs?: number;
  status?: number;
  headers?: Headers;
  body?: BoundedText;
  error?: unknown;
}

/** An exchange that begins; until more is known its bytes may have been sent. */
export function begin(startedMs: number): Exchange {
  return { phase: "sent", startedMs };
}

/** What a reader gets to see of an exchange. */
export function seenOf(exchange: Exchange, exchanges: number): Seen {
  const { phase, startedMs, headersMs, endedMs, status, headers, body, error } = exchange;
  return {
    phase,
    exchanges,
    ...(status !== undefined && { status }),
    ...(headers !== undefined && { headers: keptHeaders(headers) }),
    ...(body !== undefined && { body: body.text() }),
    ...(error !== undefined && { error }),
    startedMs,
    ...(headersMs !== undefined && { headersMs }),
    ...(endedMs !== undefined && { endedMs }),
  };
}
