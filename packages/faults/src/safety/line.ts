/** How many UTF-16 units of a text the nets look at; nothing beyond them can be shown. */
export const WINDOW = 4096;

/** Format characters that have no ink: joiners, bidi controls, fillers, variation selectors, tags. */
export const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose.
const GAPS = /[\s\u0000-\u001f\u007f-\u009f]+/g;

const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

const ELLIPSIS = "…";

/** The first part of a text that the nets look at, never ending in half a surrogate pair. */
export function windowOf(text: string): string {
  return text.length <= WINDOW ? text : cut(text, WINDOW);
}

/** Makes one printable line of at most `max` UTF-16 units, with an ellipsis where it was cut. */
export function toLine(text: string, max: number): string {
  const head = windowOf(text);
  const line = PLAIN.test(head) ? head : flatten(head);
  if (line.length <= max && head.length === text.length) return line;
  if (max < 1) return "";
  return cut(line, Math.floor(max) - 1).trimEnd() + ELLIPSIS;
}

function flatten(text: string): string {
  return text.toWellFormed().replace(INVISIBLE, "").replace(GAPS, " ").trim();
}

function cut(text: string, end: number): string {
  const last = text.charCodeAt(end - 1);
  const splits = end < text.length && last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splits ? end - 1 : end);
}
