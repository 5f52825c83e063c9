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
