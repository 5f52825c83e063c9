// A short text that a pattern of a schema accepts, for the simple patterns that authors write: `^ORD-[0-9]{4,9}$`.

/** Longer patterns are not looked at, and longer texts not made. */
const MAX_PATTERN = 300;
const MAX_MADE_TEXT = 256;

/** Characters that are tried for a class, in this order. */
const SAMPLES = [..."0aA_-. :/@#9zZ"];

/** A text for a pattern, or undefined if none was found. What is returned matches. */
export function textForPattern(pattern: RegExp): string | undefined {
  const { source } = pattern;
  if (source.length > MAX_PATTERN) return undefined;
  const reader = { source, at: 0 };
  const text = readAlternatives(reader);
  const isWhole = text !== undefined && reader.at === source.length && text.length <= MAX_MADE_TEXT;
  return isWhole && pattern.test(text) ? text : undefined;
}

interface PatternReader {
  readonly source: string;
  at: number;
}

/** The first alternative; the others are read and dropped. */
function readAlternatives(reader: PatternReader): string | undefined {
  const first = readSequence(reader);
  while (reader.source[reader.at] === "|") {
    reader.at += 1;
    if (readSequence(reader) === undefined) return undefined;
  }
  return first;
}

function readSequence(reader: PatternReader): string | undefined {
  let text = "";
  while (reader.at < reader.source.length && !"|)".includes(reader.source[reader.at] ?? "")) {
    const piece = readPiece(reader);
    if (piece === undefined || text.length > MAX_MADE_TEXT) return undefined;
    text += piece.repeat(readCount(reader));
  }
  return text;
}

/** One character, class or group. Undefined for what is not known, such as a look-ahead. */
function readPiece(reader: PatternReader): string | undefined {
  const rest = reader.source.slice(reader.at);
  const [head = ""] = rest;
  const token = /^(?:\[(?:\\.|[^\]\\]){1,100}\]|\\[dwsDWS]|\\\/|\\[^a-zA-Z0-9]|\.)/.exec(rest)?.[0];
  if (head === "^" || head === "$") {
    reader.at += 1;
    return "";
  }
  if (head === "(") {
    const opening = /^\((?:\?:|\?<[a-zA-Z]\w{0,40}>|(?!\?))/.exec(rest)?.[0];
    if (opening === undefined) return undefined;
    reader.at += opening.length;
    const inside = readAlternatives(reader);
    if (reader.source[reader.at] !== ")") return undefined;
    reader.at += 1;
    return inside;
  }
  if (token === undefined) {
    if (/^[\\[*+?{]/.test(rest)) return undefined;
    reader.at += head.length;
    return head;
  }
  reader.at += token.length;
  const isPlain = token.length === 2 && token.startsWith("\\") && !/^\\[dwsDWS]/.test(token);
  if (isPlain) return token.slice(1);
  const one = new RegExp(`^${token}$`);
  return SAMPLES.find((sample) => one.test(sample));
}

/** How often the piece before stands there: as rarely as is allowed, and once for `*` and `?`. */
function readCount(reader: PatternReader): number {
  const [whole = "", least] = /^(?:[*+?]|\{(\d{1,3})(?:,\d{0,3})?\})\??/.exec(reader.source.slice(reader.at)) ?? [];
  reader.at += whole.length;
  return least === undefined ? 1 : Number(least);
}
