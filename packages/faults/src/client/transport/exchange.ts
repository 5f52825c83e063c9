import { findSystemFault } from "../../errors/system-codes.ts";
import { type BoundedText, boundedText, type Tap, tapBody } from "./tap.ts";
import type { ExchangeRecord, Phase } from "./types.ts";

/** One HTTP exchange in progress. */
export interface HttpExchange {
  phase: Phase;
  readonly startedMs: number;
  headersMs?: number;
  endedMs?: number;
  status?: number;
  headers?: Headers;
  body?: BoundedText;
  error?: unknown;
}

/** An exchange that begins; until more is known, its bytes may have been sent. */
export function beginExchange(startedMs: number): HttpExchange {
  return { phase: "sent", startedMs };
}

/** The record of an exchange as it stands now. */
export function toRecord(exchange: HttpExchange, exchanges: number): ExchangeRecord {
  const { phase, startedMs, headersMs, endedMs, status, headers, error } = exchange;
  const body = exchange.body?.text();
  return {
    phase,
    exchanges,
    ...(status !== undefined && { status }),
    ...(headers !== undefined && { headers: pickHeaders(headers) }),
    ...(body !== undefined && { body }),
    ...(error !== undefined && { error }),
    startedMs,
    ...(headersMs !== undefined && { headersMs }),
    ...(endedMs !== undefined && { endedMs }),
  };
}

/** Records what `fetch` rejected with. */
export function recordRejection(exchange: HttpExchange, error: unknown, at: { now: number; init?: RequestInit }): void {
  exchange.error = error;
  exchange.endedMs = at.now;
  // A fetch that follows redirects may have been refused at a later host, after the first one took the request.
  const isOneHost = at.init?.redirect === "manual" || at.init?.redirect === "error";
  exchange.phase = isOneHost ? rejectionPhase(error) : "sent";
}

/** How far a request came that `fetch` rejected; what is not known counts as sent. */
export function rejectionPhase(error: unknown): Extract<Phase, "connect" | "sent"> {
  return findSystemFault(error)?.unsent === true ? "connect" : "sent";
}

/** Records the head of an answer. */
export function recordHead(exchange: HttpExchange, { status, headers }: Response, now: number): void {
  exchange.phase = "headers";
  exchange.headersMs = now;
  exchange.status = status;
  exchange.headers = headers;
}

const MAX_REFUSAL_BODY = 65_536;

/** Follows the body of an answer and keeps the text of a refusal; `more` is called as well. */
export function recordBody(
  exchange: HttpExchange,
  response: Response,
  { now, ...more }: { now: () => number } & Partial<Pick<Tap, "chunk" | "ended" | "broke" | "over">>,
): Response {
  const body = answerForm(response) === "refusal" ? boundedText(MAX_REFUSAL_BODY) : undefined;
  if (body !== undefined) exchange.body = body;
  return tapBody(response, {
    chunk(bytes) {
      exchange.phase = "body";
      body?.add(bytes);
      more.chunk?.(bytes);
    },
    ended() {
      exchange.phase = "ended";
      exchange.endedMs = now();
      more.ended?.();
    },
    broke(error) {
      exchange.error = error;
      exchange.endedMs = now();
      more.broke?.(error);
    },
    over: () => more.over?.(),
  });
}

/** What the head of an answer means to the SDK's clients. */
export type AnswerForm =
  /** A JSON message. */
  | "json"
  /** An event stream. */
  | "stream"
  /** 202: nothing will follow. */
  | "accepted"
  /** A redirect, which the client follows with another exchange. */
  | "redirect"
  /** A failure, or a success of a type that the clients cannot read. */
  | "refusal";

const READABLE: Readonly<Record<string, AnswerForm>> = {
  "application/json": "json",
  "text/event-stream": "stream",
} satisfies Record<string, AnswerForm>;

/** The form of an answer, by its head alone. */
export function answerForm({ ok, status, headers }: Response): AnswerForm {
  if (status === 202) return "accepted";
  if (status >= 300 && status < 400) return "redirect";
  if (!ok) return "refusal";
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return (Object.hasOwn(READABLE, type) ? READABLE[type] : undefined) ?? "refusal";
}

/** Headers that say what to do about a failure; none that identifies a session or a person. */
const KEPT_HEADER_NAMES: ReadonlySet<string> = new Set([
  "retry-after",
  "retry-after-ms",
  "www-authenticate",
  "content-type",
  "date",
  "allow",
  "stripe-should-retry",
  "x-should-retry",
  "x-shopify-shop-api-call-limit",
  "x-request-id",
]);
const KEPT_HEADER_FAMILY = /^(?:x-)?rate-?limit(?:-|$)/;

/** A longer value says nothing that fits into a fault. */
const MAX_HEADER = 2_048;

/** The headers of an answer that are kept, by lower-case name. */
export function pickHeaders(headers: Headers): Readonly<Record<string, string>> {
  const kept: Record<string, string> = {};
  for (const [name, value] of headers) {
    if ((KEPT_HEADER_NAMES.has(name) || KEPT_HEADER_FAMILY.test(name)) && value.length <= MAX_HEADER)
      kept[name] = value;
  }
  return kept;
}
