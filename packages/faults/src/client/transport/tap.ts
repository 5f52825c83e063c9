import { concatBytes } from "@recourse/wire";
import { readText } from "../../safety/line.ts";

/** Callbacks for a body that another reader reads. */
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
