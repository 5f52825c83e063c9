import { writeStderr } from "../../platform/streams.ts";
import { concatBytes } from "../../wire/bytes.ts";
import { metaIn, type Received } from "../../wire/headers.ts";
import { type JsonObject, memberAt, objectAt, stringAt } from "../../wire/json.ts";
import { readableId } from "../../wire/message.ts";
import { race, sleep, TIMED_OUT } from "../../wire/waiting.ts";
import type { PendingFailure } from "../replies/reply.ts";
import type { HandlerOptions } from "./options.ts";

/** One request at the HTTP edge, and what is known about it so far. */
export interface EdgeExchange {
  readonly request: Request;
  /** The second argument of the handler. */
  readonly extra: unknown;
  readonly options: HandlerOptions;
  readonly startedMs: number;
  /** The body, once it is read. */
  readonly bytes?: Uint8Array<ArrayBuffer>;
  readonly text?: string;
  /** What the body says, once it is parsed. */
  readonly message?: unknown;
  readonly auth?: unknown;
}

/** The end of an exchange, before the handler or after it. */
export interface EdgeRefusal extends PendingFailure {
  /** The HTTP status, if it is not the one of the fault. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The id of a call that is answered with a result, as its dialect demands of every call. @default an error answers it */
  readonly callId?: string | number;
  /** The fault contains text that was not written here, so it is checked for the credentials of the request. */
  readonly foreign?: boolean;
}

export function isEdgeRefusal(outcome: EdgeExchange | EdgeRefusal): outcome is EdgeRefusal {
  return "fault" in outcome;
}

/** Whether the body has to be read here: others have none, or it was parsed before it came here. */
export function readsBody({ request, extra }: EdgeExchange): boolean {
  return request.method === "POST" && memberAt(extra, "parsedBody") === undefined;
}

export function exchangeMessage({ message, extra }: EdgeExchange): unknown {
  return message === undefined ? memberAt(extra, "parsedBody") : message;
}

/** The id of a single request; batches, notifications and answers have none to echo. */
export function exchangeId(exchange: EdgeExchange): string | number | undefined {
  return readableId(exchangeMessage(exchange));
}

export function exchangeMethod(exchange: EdgeExchange): string | undefined {
  return stringAt(exchangeMessage(exchange), "method");
}

/** The `_meta` of the message. */
export function exchangeMeta(exchange: EdgeExchange): JsonObject | undefined {
  return metaIn(exchangeMessage(exchange));
}

export function exchangeTool(exchange: EdgeExchange): string | undefined {
  return exchangeMethod(exchange) === "tools/call"
    ? stringAt(objectAt(exchangeMessage(exchange), "params"), "name")
    : undefined;
}

export function receivedMessage(exchange: EdgeExchange): Received {
  const { headers } = exchange.request;
  return { header: (name) => headers.get(name), message: exchangeMessage(exchange) };
}

const said = new Set<string>();
const MAX_SAID = 100;

/** Tells the operator something about the setup, each sentence once in a process. */
export function warnOnce(key: string, text: string): void {
  if (said.has(key) || said.size >= MAX_SAID) return;
  said.add(key);
  writeStderr(`recourse: ${text}\n`);
}

/** Lets every sentence be printed again, for tests whose files share a process. */
export function forgetWarnings(): void {
  said.clear();
}

/** The answer if writing a better one failed. */
const LAST_EDGE_ANSWER =
  '{"jsonrpc":"2.0","error":{"code":-32603,"message":"The call failed because of an internal error."}}';

export function lastEdgeAnswer(): Response {
  return new Response(LAST_EDGE_ANSWER, { status: 500, headers: { "content-type": "application/json" } });
}

/** The stream is longer than allowed. */
export const BODY_TOO_LARGE: unique symbol = Symbol("too large");
/** The stream did not end in time. */
export const BODY_TOO_SLOW: unique symbol = Symbol("too slow");

/** What a stream may cost. */
interface StreamLimits {
  /** The most bytes. */
  readonly max: number;
  readonly ms: number;
  /** What happens to the rest of a stream that is too long. @default "cancel" */
  readonly rest?: "cancel" | "discard";
  /**
   * Gets all bytes of a stream that is too long, up to `maxRest`, before it is refused. It is then read as if it were allowed,
   * without being kept. @default none: the rest is not looked at
   */
  readonly observer?: { readonly maxRest: number; take(bytes: Uint8Array): void };
}

/** Reads a stream to its end, unless it is too long or too slow. */
export async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  { max, ms, rest = "cancel", observer }: StreamLimits,
): Promise<Uint8Array<ArrayBuffer> | typeof BODY_TOO_LARGE | typeof BODY_TOO_SLOW> {
  if (stream === null) return new Uint8Array();
  const reader = stream.getReader();
  const first = await race(readAll(reader, max, observer), { ms, sleep });
  if (first instanceof Uint8Array) return first;
  // Not awaited: a sender that never stops must not delay the answer.
  if (first === BODY_TOO_LARGE && rest === "discard") void discard(reader);
  else reader.cancel().catch(() => {});
  return first === TIMED_OUT ? BODY_TOO_SLOW : BODY_TOO_LARGE;
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  max: number,
  observer: StreamLimits["observer"],
): Promise<Uint8Array<ArrayBuffer> | typeof BODY_TOO_LARGE> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return size > max ? BODY_TOO_LARGE : concatBytes(chunks, size);
    // A stream made by hand may hold anything, and what has no length would pass every limit.
    if (!(value instanceof Uint8Array)) throw new TypeError("the stream does not hold bytes");
    size += value.byteLength;
    observer?.take(value);
    if (size > (observer?.maxRest ?? max)) return BODY_TOO_LARGE;
    if (size <= max) chunks.push(value);
  }
}

const MAX_DISCARD_BYTES = 32 * 1_024 * 1_024;
const MAX_DISCARD_MS = 2_000;

/**
 * Throws away the body of a request that is refused, without waiting for it. A body that is not read stays on the connection,
 * and the next request of that connection waits behind it.
 */
export function discardBody({ body }: Request): void {
  if (body !== null && !body.locked) void discard(body.getReader());
}

/** Reads a stream to its end and keeps nothing; cancels it if it does not end soon. */
async function discard(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  try {
    await race(readOut(reader), { ms: MAX_DISCARD_MS, sleep });
    await reader.cancel();
  } catch {
    // The sender is gone, so nothing is left.
  }
}

async function readOut(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  for (let size = 0; size <= MAX_DISCARD_BYTES; ) {
    const { done, value } = await reader.read();
    if (done) return;
    // Small and strange pieces count as a kilobyte, so that the loop ends.
    size += value.byteLength > 1_024 ? value.byteLength : 1_024;
  }
}
