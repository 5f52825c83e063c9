/** `1 tool`, `2,000 tools`. */
export function plural(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}

/** Milliseconds as people read them: `180 ms`, `2.4 s`. */
export function durationText(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** A length of time in the unit that people use for it: `45 s`, `12 min`, `2 h 14 min`, `3 days`. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return plural(Math.round(hours / 24), "day");
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}

/** Names with commas; `a, b and 3 more` if they are many. */
export function listNames(names: readonly string[], max = 8): string {
  if (names.length <= max) return names.join(", ");
  return `${names.slice(0, max - 1).join(", ")} and ${names.length - max + 1} more`;
}

/** A sentence as the second half of another, without its full stop. */
export function lowerSentence(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
}

/** Texts of the docs mark code with backticks, which a terminal does not need. */
export function withoutBackticks(text: string): string {
  return text.replaceAll("`", "");
}

/** Blocks of lines with an empty line between them. Empty blocks are left out. */
export function joinBlocks(blocks: readonly (readonly string[])[]): string {
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}
