import { BACKSLASH } from "./skip.ts";

const MAX_ASCII = 0x7f;

/**
 * Whether bytes are this text, as JSON writes it: false also where the text is not ASCII or has escapes, since then it may be
 * written in several ways. Comparing costs less than decoding.
 */
export function isTextAt(bytes: Buffer, start: number, end: number, text: string): boolean {
  if (text.length !== end - start) return false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== bytes[start + at] || code > MAX_ASCII || code === BACKSLASH) return false;
  }
  return true;
}
