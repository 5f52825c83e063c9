import { race, TIMED_OUT } from "../../async/race.ts";
import { sleep } from "../../platform/sleep.ts";
import { discard } from "./discard.ts";

/** The stream is longer than allowed. */
export const TOO_LARGE: unique symbol = Symbol("too large");
/** The stream did not end in time. */
export const TOO_SLOW: unique symbol = Symbol("too slow");

/** What a stream may cost. */
export interface StreamLimits {
  /** The most bytes. */
  readonly max: number;
  /** How long it may take to the end. */
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
): Promise<Uint8Array<ArrayBuffer> | typeof TOO_LARGE | typeof TOO_SLOW> {
  if (stream === null) return new Uint8Array();
  const reader = stream.getReader();
  const first = await race(readAll(reader, max, observer), { ms, sleep });
  if (first instanceof Uint8Array) return first;
  // Not awaited: a sender that never stops must not delay the answer.
  if (first === TOO_LARGE && rest === "discard") void discard(reader);
  else reader.cancel().catch(() => {});
  return first === TIMED_OUT ? TOO_SLOW : TOO_LARGE;
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  max: number,
  observer: StreamLimits["observer"],
): Promise<Uint8Array<ArrayBuffer> | typeof TOO_LARGE> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return size > max ? TOO_LARGE : joinBytes(chunks, size);
    // A stream made by hand may hold anything, and what has no length would pass every limit.
    if (!(value instanceof Uint8Array)) throw new TypeError("the stream does not hold bytes");
    size += value.byteLength;
    observer?.take(value);
    if (size > (observer?.maxRest ?? max)) return TOO_LARGE;
    if (size <= max) chunks.push(value);
  }
}

/** Several pieces of bytes as one. */
export function joinBytes(pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.byteLength;
  }
  return all;
}
