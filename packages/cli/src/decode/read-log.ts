import { readLines } from "@recourse/core/wire";
import type { LogLine } from "@recourse/explain";

/** A longer line is cut. A recording may be one line. */
const MAX_LOG_LINE = 16 * 1024 * 1024;

/** The lines of some bytes. No more than one line is held at a time, and no more than `max` bytes of it. */
export async function* readLogLines(chunks: AsyncIterable<Uint8Array>, max = MAX_LOG_LINE): AsyncGenerator<LogLine> {
  // Within the log, a byte order mark is an ordinary character.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let isFirst = true;
  for await (const { bytes, isCut } of readLines(chunks, { maxBytes: max, lastLine: true })) {
    // Half a character at a cut is left out.
    const text = isCut ? new TextDecoder().decode(bytes, { stream: true }) : decoder.decode(bytes);
    const start = isFirst && text.startsWith("\uFEFF") ? 1 : 0;
    isFirst = false;
    yield { text: text.slice(start, text.endsWith("\r") ? -1 : undefined), cut: isCut };
  }
}

/** The chunks of a source until the signal is aborted. A source that waits for more does not hold it up. */
export async function* chunksUntilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    while (!signal.aborted) {
      const next = await nextOrAbort(iterator, signal);
      if (next === undefined || next.done === true) return;
      yield next.value;
    }
  } finally {
    // Closing does not wait for a pending read.
    iterator.return?.().catch(() => {});
  }
}

/** A race against one promise for all chunks would keep every chunk in memory, so each has a listener of its own. */
function nextOrAbort<T>(iterator: AsyncIterator<T>, signal: AbortSignal): Promise<IteratorResult<T> | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<IteratorResult<T> | undefined>();
  const onAbort = () => resolve(undefined);
  signal.addEventListener("abort", onAbort, { once: true });
  iterator
    .next()
    .then(resolve, reject)
    .finally(() => signal.removeEventListener("abort", onAbort));
  return promise;
}
