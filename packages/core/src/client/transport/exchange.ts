import { findSystemFault } from "../../errors/system-codes.ts";
import { readText } from "../../safety/line.ts";
import { concatBytes } from "../../wire/bytes.ts";
import type { ExchangeRecord, Phase } from "./types.ts";

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

export function answerForm({ ok, status, headers }: Response): AnswerForm {
  if (status === 202) return "accepted";
  if (status >= 300 && status < 400) return "redirect";
  if (!ok) return "refusal";
  const type = headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return (Object.hasOwn(READABLE, type) ? READABLE[type] : undefined) ?? "refusal";
}

/** Headers that say what to do about a failure; none that identifies a session or a person. */
const KEPT_HEADER_NAMES: ReadonlySet<string> = /* @__PURE__ */ new Set(
  /* @__PURE__ */ (
    "retry-after retry-after-ms www-authenticate content-type date allow stripe-should-retry " +
    "x-should-retry x-shopify-shop-api-call-limit x-request-id"
  ).split(" "),
);
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

export interface Tap {
  chunk(bytes: Uint8Array): void;
  ended(): void;
  broke(error: unknown): void;
  /** The body is over for whatever reason: it ended, broke, or its reader cancelled it. */
  over?(): void;
}

/**
 * The same answer, with its body passed to `tap` chunk by chunk before the reader gets it. A clone would do the same at
 * twice the cost, and might get a chunk later than the reader.
 */
export function tapBody(response: Response, tap: Tap): Response {
  const { body, status } = response;
  // Left alone: a body of another fetch implementation that is not a stream of the platform, and a status that servers can
  // send but `Response` refuses.
  if (!(body instanceof ReadableStream) || status < 200 || status > 599) return response;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  // The platform cleans up a body that is never read.
  const source = () => {
    reader ??= (body as ReadableStream<Uint8Array>).getReader();
    return reader;
  };
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await source()
          .read()
          .catch((error: unknown) => {
            tap.broke(error);
            tap.over?.();
            throw error;
          });
        if (done) {
          tap.ended();
          tap.over?.();
          controller.close();
        } else {
          tap.chunk(value);
          controller.enqueue(value);
        }
      },
      async cancel(reason) {
        tap.over?.();
        await source().cancel(reason);
      },
    },
    // Nothing is read before the reader asks, so its pace stays the server's pace.
    { highWaterMark: 0 },
  );
  const copy = new Response(stream, response);
  const { url, redirected, type } = response;
  return Object.defineProperties(copy, {
    url: { value: url },
    redirected: { value: redirected },
    type: { value: type },
  });
}

/** The beginning of a text that comes as bytes. */
export interface BoundedText {
  add(bytes: Uint8Array): void;
  /** Undefined if the bytes are not text in UTF-8. */
  text(): string | undefined;
}

/** Collects bytes up to a limit; the text is made only on demand. */
export function boundedText(limit: number): BoundedText {
  const pieces: Uint8Array[] = [];
  let room = limit;
  return {
    add(bytes) {
      if (room === 0) return;
      // A copy: the next reader of the stream may transfer the bytes.
      const piece = bytes.slice(0, room);
      room -= piece.length;
      pieces.push(piece);
    },
    text: () => readText(concatBytes(pieces, limit - room), { cut: true }),
  };
}
