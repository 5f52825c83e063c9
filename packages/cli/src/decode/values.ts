import type { Line } from "./lines.ts";

/** What was found in a log: a JSON value, or a line without one. */
export type Found =
  | { readonly type: "value"; readonly value: unknown }
  /** A line that looks like JSON, but was too long or is malformed. */
  | { readonly type: "unreadable" }
  | { readonly type: "other" };

/** A JSON document over several lines is put together up to this length, in characters. */
const MAX_DOCUMENT = 64 * 1024 * 1024;
/** How often an unfinished document is tried: after that its lines are read one by one. */
const MAX_ATTEMPTS = 64;
/** How many braces of a line are tried as the beginning of an object. */
const MAX_STARTS = 8;

const OTHER: Found = { type: "other" };

/** The JSON values in a log: one in each line, one over several lines, or one somewhere in a line. */
export async function* valuesIn(lines: AsyncIterable<Line>): AsyncGenerator<Found> {
  let open: Line[] = [];
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
    const value = closes ? parse(open.map(({ text }) => text).join("\n")) : undefined;
    if (value === undefined && length < MAX_DOCUMENT && attempts < MAX_ATTEMPTS) continue;
    if (value === undefined) yield* open.map(valueInLine);
    else yield { type: "value", value };
    open = [];
    length = 0;
    attempts = 0;
  }
  yield* open.map(valueInLine);
}

function valueInLine({ text, cut }: Line): Found {
  // Events of a stream have their JSON behind `data:`.
  const line = text.trim().replace(/^data: ?/, "");
  if (line === "") return OTHER;
  if (cut) return { type: "unreadable" };
  if (/^[[{]/.test(line)) {
    const value = parse(line);
    if (value !== undefined) return { type: "value", value };
  }
  return objectWithin(line) ?? (/^\{\s*"/.test(line) ? { type: "unreadable" } : OTHER);
}

/** An object behind a time stamp or a level, and in front of anything. */
function objectWithin(line: string): Found | undefined {
  const end = line.lastIndexOf("}");
  let start = -1;
  for (let tries = 0; tries < MAX_STARTS; tries += 1) {
    start = line.indexOf('{"', start + 1);
    if (start < 0 || start > end) return undefined;
    const value = parse(line.slice(start, end + 1));
    if (value !== undefined) return { type: "value", value };
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
