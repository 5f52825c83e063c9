/** What is told of a body while somebody else reads it. */
export interface Tap {
  chunk(bytes: Uint8Array): void;
  ended(): void;
  broke(error: unknown): void;
  /** The reader gave up; true while it is worth reading on for our own sake. */
  wantsMore?(): boolean;
}

/** How long a reader that gives up may be held for what it did not want to read. */
const PARTING_MS = 100;

/**
 * The same answer, with its body told to `tap` chunk by chunk before the reader gets it.
 *
 * A clone would do the same at twice the cost, and might hear of a chunk later than the reader.
 */
export function tapped(response: Response, tap: Tap): Response {
  const { body, status } = response;
  // Left alone: the body of another fetch implementation that is no stream of the platform, and a status that servers
  // can send but nobody can construct.
  if (!(body instanceof ReadableStream) || status < 200 || status > 599) return response;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  // A body that nobody begins to read stays the platform's to clean up.
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
            throw error;
          });
        if (done) {
          tap.ended();
          controller.close();
        } else {
          tap.chunk(value);
          controller.enqueue(value);
        }
      },
      async cancel(reason) {
        if (tap.wantsMore?.() === true) await readOn(source(), tap);
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

async function readOn(reader: ReadableStreamDefaultReader<Uint8Array>, tap: Tap): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, PARTING_MS, undefined);
  });
  try {
    while (tap.wantsMore?.() === true) {
      const next = await Promise.race([reader.read(), late]);
      if (next === undefined) return;
      if (next.done) return tap.ended();
      tap.chunk(next.value);
    }
  } catch (error) {
    tap.broke(error);
  } finally {
    clearTimeout(timer);
  }
}
