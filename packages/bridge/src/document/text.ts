const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose.
const GAPS = /[\s\u0000-\u001f\u007f-\u009f]+/g;
/** Mark-up that descriptions are written in; other angle brackets are content. */
const INLINE = /<\/?(?:a|b|code|em|i|span|strong|u)\b[^<>]{0,500}>/gi;
const BLOCKS = /<\/?(?:blockquote|br|div|h[1-6]|hr|img|li|ol|p|pre|table|tbody|td|th|thead|tr|ul)\b[^<>]{0,500}>/gi;
/** An image in Markdown is an address that a reader's program may visit by itself. */
const IMAGES = /!\[([^\]]{0,200})\]\([^)]{0,2000}\)/g;

/**
 * A text of a document as one printable line. Such texts reach a model, and who wrote the document is not known: what
 * cannot be seen goes, and the length is bounded.
 */
export function toText(value: unknown, max: number): string {
  if (typeof value !== "string") return "";
  const head = value.slice(0, max * 4 + 1_000).toWellFormed();
  const line = head
    .replace(INVISIBLE, "")
    .replace(IMAGES, "$1")
    .replace(INLINE, "")
    .replace(BLOCKS, " ")
    .replace(GAPS, " ")
    .trim();
  if (line.length <= max && head.length >= value.length) return line;
  const cut = line.slice(0, Math.max(0, max - 1));
  return `${(cut.isWellFormed() ? cut : cut.slice(0, -1)).trimEnd()}…`;
}

/** Whether a text can be shown as it is: visible, on one line, of bounded length. */
export function isPrintable(text: string, max: number): boolean {
  if (text.length > max || !text.isWellFormed()) return false;
  // Blanks are content here, so only their kind is looked at.
  return text.replace(INVISIBLE, "").replace(GAPS, (gap) => " ".repeat(gap.length)) === text;
}
