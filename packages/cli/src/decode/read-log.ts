import { readLines } from "@recourse/wire";
/** A line of a log. */
export interface LogLine {
  readonly text: string;
  /** Whether the end is missing, because the line was too long. */
  readonly cut: boolean;
}

/** A longer line is cut. A recording may be one line. */
const MAX_LOG_LINE = 16 * 1024 * 1024;

/** The lines of some bytes. No more than one line is held at a time, and no more than `max` bytes of it. */
export async function* readLogLines(chunks: AsyncIterable<Uint8Array>, max = MAX_LOG_LINE): AsyncGenerator<LogLine> {
  let isFirst = true;
  for await (const { bytes, isCut } of readLines(chunks, { maxBytes: max, lastLine: true })) {
    // A byte order mark is none within the log, and half a character at a cut is left out.
    const text = new TextDecoder("utf-8", { ignoreBOM: !isFirst }).decode(bytes, { stream: isCut });
    isFirst = false;
    yield { text: text.replace(/\r$/, ""), cut: isCut };
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

/** What was found in a log: a JSON value, or a line without one. */
type LogValue =
  | { readonly type: "value"; readonly value: unknown }
  /** A line that looks like JSON, but was too long or is malformed. */
  | { readonly type: "unreadable" }
  | { readonly type: "other" };

/** A JSON document over several lines is put together up to this length, in characters. */
const MAX_DOCUMENT = 64 * 1024 * 1024;
/** How often an unfinished document is tried: after that its lines are read one by one. */
const MAX_DOCUMENT_TRIES = 64;
/** How many braces of a line are tried as the beginning of an object. */
const MAX_STARTS = 8;

const NO_VALUE: LogValue = { type: "other" };

/** The JSON values in a log: one in each line, one over several lines, or one somewhere in a line. */
export async function* valuesIn(lines: AsyncIterable<LogLine>): AsyncGenerator<LogValue> {
  let open: LogLine[] = [];
  let length = 0;
  let attempts = 0;
  for await (const line of lines) {
    if (open.length === 0) {
      const found = valueInLine(line);
      if (found.type === "value" || !/^\s*[[{]/.test(line.text) || line.cut) {
        yield found;
        continue;
      }
    }
    open.push(line);
    length += line.text.length;
    // Printers put the last bracket of a document at the beginning of a line.
    const closes = /^[\]}]/.test(line.text);
    if (closes) attempts += 1;
    const value = closes ? parseStructure(open.map(({ text }) => text).join("\n")) : undefined;
    if (value === undefined && length < MAX_DOCUMENT && attempts < MAX_DOCUMENT_TRIES) continue;
    if (value === undefined) yield* open.map(valueInLine);
    else yield { type: "value", value };
    open = [];
    length = 0;
    attempts = 0;
  }
  yield* open.map(valueInLine);
}

function valueInLine({ text, cut }: LogLine): LogValue {
  // Events of a stream have their JSON behind `data:`.
  const line = text.trim().replace(/^data: ?/, "");
  if (line === "") return NO_VALUE;
  if (cut) return { type: "unreadable" };
  if (/^[[{]/.test(line)) {
    const value = parseStructure(line);
    if (value !== undefined) return { type: "value", value };
  }
  return objectWithin(line) ?? (/^\{\s*"/.test(line) ? { type: "unreadable" } : NO_VALUE);
}

/** An object behind a time stamp or a level, and in front of anything. */
function objectWithin(line: string): LogValue | undefined {
  const end = line.lastIndexOf("}");
  let start = -1;
  for (let tries = 0; tries < MAX_STARTS; tries += 1) {
    start = line.indexOf('{"', start + 1);
    if (start < 0 || start > end) return undefined;
    const value = parseStructure(line.slice(start, end + 1));
    if (value !== undefined) return { type: "value", value };
  }
  return undefined;
}

function parseStructure(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
