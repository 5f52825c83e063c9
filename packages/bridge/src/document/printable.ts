import { INVISIBLE } from "@recourse/faults/internal-do-not-use";

// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose.
const SPACES_AND_CONTROLS = /[\s\u0000-\u001f\u007f-\u009f]+/g;
/** HTML that descriptions use; other angle brackets are content. */
const INLINE_TAGS = /<\/?(?:a|b|code|em|i|span|strong|u)\b[^<>]{0,500}>/gi;
const BLOCK_TAGS = /<\/?(?:blockquote|br|div|h[1-6]|hr|img|li|ol|p|pre|table|tbody|td|th|thead|tr|ul)\b[^<>]{0,500}>/gi;
/** A Markdown image is an address that the reader's program may fetch by itself. */
const IMAGES = /!\[([^\]]{0,200})\]\([^)]{0,2000}\)/g;

/**
 * A text of the document as one printable line of at most `max` characters. Such texts reach a model, and the author of the
 * document is not known, so invisible characters are removed.
 */
export function toPrintableLine(value: unknown, max: number): string {
  if (typeof value !== "string") return "";
  const head = value.slice(0, max * 4 + 1_000).toWellFormed();
  const line = head
    .replace(INVISIBLE, "")
    .replace(IMAGES, "$1")
    .replace(INLINE_TAGS, "")
    .replace(BLOCK_TAGS, " ")
    .replace(SPACES_AND_CONTROLS, " ")
    .trim();
  if (line.length <= max && head.length >= value.length) return line;
  const cut = line.slice(0, Math.max(0, max - 1));
  return `${(cut.isWellFormed() ? cut : cut.slice(0, -1)).trimEnd()}…`;
}

/** Whether a text can be shown unchanged: it is visible, on one line, and not longer than `max`. */
export function isPrintableLine(text: string, max: number): boolean {
  if (text.length > max || !text.isWellFormed()) return false;
  // Spaces are content here, so only their kind is checked.
  return text.replace(INVISIBLE, "").replace(SPACES_AND_CONTROLS, (gap) => " ".repeat(gap.length)) === text;
}
