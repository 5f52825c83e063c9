/** Reads a stream to its end, or gives undefined and hangs up when it is longer than allowed. */
export async function readStream(
  stream: ReadableStream<Uint8Array> | null,
  max: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (stream === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    // A stream made by hand may hold anything, and what has no length would pass every limit.
    if (!(value instanceof Uint8Array)) throw new TypeError("The stream does not hold bytes.");
    size += value.byteLength;
    if (size > max) {
      // Not awaited: a sender that never stops must not hold the answer up.
      reader.cancel().catch(() => {});
      return undefined;
    }
    chunks.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.byteLength;
  }
  return all;
}
