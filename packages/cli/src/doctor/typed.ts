/** Words that no shell takes for anything else. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** A word as it is typed: in quotes where a shell would take it apart. Double quotes also work on Windows. */
export function typed(word: string): string {
  if (PLAIN.test(word)) return word;
  return /["$`\\!]/.test(word) ? `'${word.replaceAll("'", String.raw`'\''`)}'` : `"${word}"`;
}

/** A command line of `recourse doctor` that can be copied. */
export function doctorLine(...words: readonly string[]): string {
  return ["recourse doctor", ...words.map(typed)].join(" ");
}
