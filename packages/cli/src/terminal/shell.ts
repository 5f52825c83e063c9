/** Words that no shell takes for anything else. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** A word as it is typed: in quotes if a shell would take it apart. Double quotes also work on Windows. */
export function shellWord(word: string): string {
  if (PLAIN_WORD.test(word)) return word;
  return /["$`\\!]/.test(word) ? quoteForShell(word) : `"${word}"`;
}

/** A command line of `recourse doctor` that can be copied. */
export function doctorLine(...words: readonly string[]): string {
  return ["recourse doctor", ...words.map(shellWord)].join(" ");
}

/** A command line of `recourse probe` that can be copied. */
export function probeLine(...words: readonly string[]): string {
  return ["recourse probe", ...words.map(shellWord)].join(" ");
}

/** A word for POSIX shells and fish: within single quotes nothing has a meaning but their end. Control characters are escaped. */
export function quoteForShell(value: string): string {
  if (![...value].some(isControl)) return `'${value.replaceAll("'", String.raw`'\''`)}'`;
  const escaped = value.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
  const visible = [...escaped].map((one) =>
    isControl(one) ? `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}` : one,
  );
  return `$'${visible.join("")}'`;
}

function isControl(one: string): boolean {
  const code = one.charCodeAt(0);
  return code < 0x20 || (code >= 0x7f && code < 0xa0);
}
