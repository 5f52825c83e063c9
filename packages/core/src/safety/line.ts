/** The filters read this many UTF-16 units of a text. Nothing beyond them is ever shown. */
export const FILTER_WINDOW = 4096;

/** Invisible characters: joiners, bidi controls, fillers, variation selectors, tags. */
export const INVISIBLE_CHARACTERS = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII.
export const ASCII_ONLY = /^[\u0000-\u007f]*$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose.
const WHITESPACE = /[\s\u0000-\u001f\u007f-\u009f]+/g;

/** Printable ASCII with single spaces: nothing has to be replaced. */
const PRINTABLE_ASCII = /^[!-~]+(?: [!-~]+)*$/;

const ELLIPSIS = "…";

/** The part of a text that the filters read. It never ends in half a surrogate pair. */
export function filterWindow(text: string): string {
  return text.length <= FILTER_WINDOW ? text : cutBefore(text, FILTER_WINDOW);
}

/** The text as one printable line of at most `max` UTF-16 units. A cut text ends in an ellipsis. */
export function toLine(text: string, max: number): string {
  const head = filterWindow(text);
  const line = PRINTABLE_ASCII.test(head) ? head : flattenLine(head);
  if (line.length <= max && head.length === text.length) return line;
  if (max < 1) return "";
  return cutBefore(line, Math.floor(max) - 1).trimEnd() + ELLIPSIS;
}

function flattenLine(text: string): string {
  return text.toWellFormed().replace(INVISIBLE_CHARACTERS, "").replace(WHITESPACE, " ").trim();
}

function cutBefore(text: string, end: number): string {
  const last = text.charCodeAt(end - 1);
  const splits = end < text.length && last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splits ? end - 1 : end);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are in binary data and never in a text.
const BINARY = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f\ufffd]/;

/** Tells whether a decoded text was text: it has no characters that only binary data or a wrong character set gives. */
export function isReadable(text: string): boolean {
  return !BINARY.test(text);
}

/** Options of `readText`. */
export interface ReadTextOptions {
  /** The character set. @default "utf-8" */
  readonly charset?: string | undefined;
  /** Whether the bytes may end inside a character, which is then left out. @default false */
  readonly cut?: boolean;
}

/** The text of some bytes. Undefined if they are not text in this character set. */
export function readText(
  bytes: Uint8Array,
  { charset = "utf-8", cut = false }: ReadTextOptions = {},
): string | undefined {
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes, { stream: cut });
    return isReadable(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
