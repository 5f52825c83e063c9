/** The chunks of a source until the signal is aborted. A source that waits for more does not hold it up. */
export async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  try {
    while (!signal.aborted) {
      const next = await nextOrAbort(iterator, signal);
      if (next === undefined || next.done === true) return;
      yield next.value;
    }
  } finally {
    // A read that waits is not waited for.
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
