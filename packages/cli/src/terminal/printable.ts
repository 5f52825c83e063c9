// Control characters but for tab and newline, direction marks that reorder a line, and line separators.
// biome-ignore lint/suspicious/noControlCharactersInRegex: showing them is the purpose.
const HARMFUL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** What the program itself writes: styles, and the beginning of a redrawn line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape begins a sequence.
const OWN_SEQUENCE = /(\u001b\[[0-9;]{1,12}m|\r\u001b\[2K)/;

/** A text of someone else with control characters as `\u001b`, so that it cannot command the terminal. */
export function printable(text: string): string {
  return text.replace(HARMFUL, escapeSequence);
}

/** The same as one line: newlines and tabs are shown as well. */
export function printableLine(text: string): string {
  return printable(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t");
}

/** The last guard in front of a terminal. Styles pass; inside of JSON the replacement means the same character. */
export function withoutForeignSequences(text: string): string {
  return text
    .split(OWN_SEQUENCE)
    .map((part, at) => (at % 2 === 1 ? part : printable(part)))
    .join("");
}

function escapeSequence(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
