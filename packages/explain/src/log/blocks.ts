import { splitPrefix } from "./line-prefix.ts";

/** A line of a log. */
export interface LogLine {
  /** The line without its line break. */
  readonly text: string;
  /** Whether the end is missing, because the line was too long. @default false */
  readonly cut?: boolean;
}

/** A log: its whole text, or its lines as they are read. */
export type LogText = string | AsyncIterable<LogLine>;

/** Lines that belong together: a line and its stack, or a JSON document. */
export interface LogBlock {
  /** The number of the first line, from 1. */
  readonly line: number;
  /** The number of the last line. */
  readonly lastLine: number;
  /** How many of the lines are not empty. */
  readonly count: number;
  /** The lines. Of a long stack the first ones. */
  readonly texts: readonly string[];
  /** Whether the end is missing, because a line was too long. */
  readonly cut: boolean;
}

/** Lines of a stack that are kept. */
const MAX_STACK_LINES = 400;
const MAX_STACK_LENGTH = 256 * 1024;
/** A JSON document over several lines is put together up to this length, in characters. */
const MAX_DOCUMENT = 64 * 1024 * 1024;
/** How often an unfinished document is tried: after that its lines are read one by one. */
const MAX_DOCUMENT_TRIES = 64;

/** A prefix ends before this. */
const MAX_PREFIX_TEXT = 300;

interface OpenBlock {
  readonly line: number;
  readonly isDocument: boolean;
  texts: string[];
  count: number;
  length: number;
  tries: number;
}

/** Puts lines together that belong together. Which ones do is seen from their beginnings, so that most are not parsed. */
export async function* blocksIn(log: LogText): AsyncGenerator<LogBlock> {
  let open: OpenBlock | undefined;
  let line = 0;
  for await (const { text, cut = false } of typeof log === "string" ? splitLines(log) : log) {
    line += 1;
    if (open?.isDocument === true) {
      const state = addToDocument(open, text, cut);
      if (state === "open") continue;
      yield* state === "closed" ? [closedBlock(open)] : separateLines(open);
      open = undefined;
      if (state === "closed") continue;
    }
    if (text.trim() === "") {
      if (open !== undefined) yield closedBlock(open);
      open = undefined;
      continue;
    }
    if (open !== undefined && !cut && belongsTo(open, text)) {
      addToStack(open, text);
      continue;
    }
    if (open !== undefined) yield closedBlock(open);
    open = undefined;
    const block = { line, texts: [text], count: 1, length: text.length, tries: 0 };
    if (cut) yield { line, lastLine: line, count: 1, texts: [text], cut };
    else open = { ...block, isDocument: beginsDocument(text) };
  }
  if (open !== undefined) yield* open.isDocument ? separateLines(open) : [closedBlock(open)];
}

function splitLines(log: string): readonly LogLine[] {
  return log.split(/\r?\n/).map((text) => ({ text }));
}

function closedBlock({ line, texts, count, isDocument }: OpenBlock): LogBlock {
  // Documents may have empty lines, and of long stacks not all lines are kept.
  const lastLine = line + (isDocument ? texts.length : count) - 1;
  return { line, lastLine, texts, count, cut: false };
}

/** A document that never ended: its lines mean something by themselves at most. */
function* separateLines({ line, texts }: OpenBlock): Generator<LogBlock> {
  for (const [at, text] of texts.entries())
    if (text.trim() !== "") yield { line: line + at, lastLine: line + at, count: 1, texts: [text], cut: false };
}

/** `{` or `[` alone, or JSON that does not end in its first line. */
function beginsDocument(text: string): boolean {
  const line = text.trim();
  return /^[[{]\s{0,8}(?:$|["{[])/.test(line) && !/[\]}]$/.test(line);
}

function addToDocument(open: OpenBlock, text: string, cut: boolean): "open" | "closed" | "broken" {
  // Whole objects are not part of a document: what was open is a line whose end is missing.
  if (cut || (/^\{/.test(text) && /\}$/.test(text.trimEnd()))) return "broken";
  if (open.length + text.length > MAX_DOCUMENT || open.tries >= MAX_DOCUMENT_TRIES) return "broken";
  const closes = /^[\]}]/.test(text);
  open.texts.push(text);
  if (text.trim() !== "") open.count += 1;
  open.length += text.length;
  if (!closes) return "open";
  open.tries += 1;
  return parseStructure(open.texts.join("\n")) === undefined ? "open" : "closed";
}

/** Whether a line continues a block: frames of a stack, members of an error, and the last line of a traceback. */
function belongsTo(open: OpenBlock, text: string): boolean {
  const isTraceback = open.texts[0]?.includes("Traceback (most recent call last)") === true;
  // Most lines have no indent, and no prefix with one behind it.
  if (!isTraceback && !/^[\t ]|[\t ][\t ]/.test(text.slice(0, MAX_PREFIX_TEXT))) return false;
  const { rest } = splitPrefix(text);
  if (/^[\t ]/.test(rest)) return !/^\s{1,64}(?:data: ?)?[[{]\s{0,8}["{[]/.test(rest);
  // What Python raised stands below the frames, and without an indent.
  return isTraceback && open.count > 1 && /^[\t ]/.test(splitPrefix(open.texts.at(-1) ?? "").rest);
}

function addToStack(open: OpenBlock, text: string): void {
  open.count += 1;
  open.length += text.length;
  // The last line of a traceback says what it was.
  if (open.texts.length >= MAX_STACK_LINES || open.length > MAX_STACK_LENGTH)
    open.texts.splice(-1, 1, text.slice(0, 4_096));
  else open.texts.push(text);
}

/** How many braces of a line are tried as the beginning of an object. */
const MAX_STARTS = 8;

/** The JSON in a block: all of it, or an object somewhere in its first line. */
export function valueInBlock({ texts }: LogBlock): { readonly value: unknown; readonly isWhole: boolean } | undefined {
  const [first = ""] = texts;
  if (texts.length > 1) {
    const document = /^\s*[[{]/.test(first) ? parseStructure(texts.join("\n")) : undefined;
    if (document !== undefined) return { value: document, isWhole: true };
  }
  // Events of a stream have their JSON behind `data:`.
  const line = first.trim().replace(/^data: ?/, "");
  const whole = /^[[{]/.test(line) ? parseStructure(line) : undefined;
  if (whole !== undefined) return { value: whole, isWhole: true };
  const within = objectWithin(line);
  return within === undefined ? undefined : { value: within, isWhole: false };
}

export function looksLikeJson(line: string): boolean {
  return /^(?:data: ?)?\{\s{0,8}"/.test(line.trim());
}

/** An object behind a time stamp or a level, and in front of anything. */
function objectWithin(line: string): unknown {
  const end = line.lastIndexOf("}");
  let start = -1;
  for (let tries = 0; tries < MAX_STARTS; tries += 1) {
    start = line.indexOf('{"', start + 1);
    if (start < 0 || start > end) return undefined;
    const value = parseStructure(line.slice(start, end + 1));
    if (value !== undefined) return value;
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
