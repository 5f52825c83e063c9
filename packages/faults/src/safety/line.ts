/** The filters read this many UTF-16 units of a text. Nothing beyond them is ever shown. */
export const WINDOW = 4096;

/** Invisible characters: joiners, bidi controls, fillers, variation selectors, tags. */
export const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII.
export const ASCII = /^[\u0000-\u007f]*$/;

// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose.
const WHITESPACE = /[\s\u0000-\u001f\u007f-\u009f]+/g;

/** Printable ASCII with single spaces: nothing has to be replaced. */
const PRINTABLE_ASCII = /^[!-~]+(?: [!-~]+)*$/;

const ELLIPSIS = "…";

const ACCENTS = /\p{M}+/gu;
/** More accents on one character are dropped: no writing needs them, and normalising takes time by the square of their number. */
const MAX_ACCENTS = 30;

/** The text with compatibility characters replaced. */
export function replaceCompatible(text: string): string {
  return text.replace(ACCENTS, (run) => run.slice(0, MAX_ACCENTS)).normalize("NFKC");
}

/** The part of a text that the filters read. It never ends in half a surrogate pair. */
export function windowOf(text: string): string {
  return text.length <= WINDOW ? text : cutText(text, WINDOW);
}

/** The text as one printable line of at most `max` UTF-16 units. A cut text ends in an ellipsis. */
export function toLine(text: string, max: number): string {
  const head = windowOf(text);
  const line = PRINTABLE_ASCII.test(head) ? head : flattenLine(head);
  if (line.length <= max && head.length === text.length) return line;
  if (max < 1) return "";
  return cutText(line, Math.floor(max) - 1).trimEnd() + ELLIPSIS;
}

function flattenLine(text: string): string {
  return text.toWellFormed().replace(INVISIBLE, "").replace(WHITESPACE, " ").trim();
}

function cutText(text: string, end: number): string {
  const last = text.charCodeAt(end - 1);
  const splits = end < text.length && last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splits ? end - 1 : end);
}
