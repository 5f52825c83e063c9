/** A line of a log. */
export interface Line {
  readonly text: string;
  /** Whether the end is missing, because the line was too long. */
  readonly cut: boolean;
}

/** A longer line is cut. A recording may be one line. */
const MAX_LINE = 16 * 1024 * 1024;

/** The lines of some bytes. No more than one line is held at a time, and no more than `max` characters of it. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, max = MAX_LINE): AsyncGenerator<Line> {
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let length = 0;
  let cut = false;
  const add = (text: string) => {
    const kept = text.slice(0, Math.max(0, max - length));
    cut ||= kept.length < text.length;
    if (kept !== "") parts.push(kept);
    length += kept.length;
  };
  const take = (): Line => {
    const line = { text: parts.join("").replace(/\r$/, ""), cut };
    parts = [];
    length = 0;
    cut = false;
    return line;
  };
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      add(text.slice(start, end));
      yield take();
      start = end + 1;
    }
    add(text.slice(start));
  }
  add(decoder.decode());
  if (length > 0) yield take();
}
