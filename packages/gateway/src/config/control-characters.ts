// Names contain no control characters: PostgreSQL cannot keep the character 0, and the others break lines and terminals.
// This file imports nothing, since calls use it.

/** The pattern of a text without control characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the purpose.
export const PRINTABLE = /^[^\u0000-\u001f\u007f]+$/;

export function hasControl(name: string): boolean {
  return name !== "" && !PRINTABLE.test(name);
}
