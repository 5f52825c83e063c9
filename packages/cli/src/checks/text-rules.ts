/** What to look for in a text. */
export interface TextRule {
  /** Linear on any text: the tests prove it. */
  readonly find: RegExp;
  /** Decides on one match, where the pattern alone is not enough. `find` has to be global then. */
  readonly confirm?: ((match: RegExpExecArray) => boolean) | undefined;
}

/** Options of `firstMatch`. */
interface MatchOptions {
  /** Whether a match counts. `word` is the match up to the next space or quotation mark. */
  readonly counts?: (word: string) => boolean;
}

/** Rules read so much of a text at once, and each part overlaps the one before it. */
const WINDOW = 4096;
const OVERLAP = 512;
/** A rule that is tried more often than this on one part is not tried any further. */
const MAX_TRIES = 300;

/** The first match of any rule in a text that is not given as an example, with the rest of the word that it begins. */
export function firstMatch(
  rules: readonly TextRule[],
  text: string,
  { counts = () => true }: MatchOptions = {},
): string | undefined {
  for (let from = 0; from === 0 || from + OVERLAP < text.length; from += WINDOW - OVERLAP) {
    const part = text.slice(from, from + WINDOW);
    for (const rule of rules) {
      const found = matchIn(part, rule, counts);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function matchIn(part: string, { find, confirm }: TextRule, counts: (word: string) => boolean): string | undefined {
  const all = new RegExp(find, find.global ? find.flags : `${find.flags}g`);
  let tries = 0;
  for (const match of part.matchAll(all)) {
    tries += 1;
    if (tries > MAX_TRIES) return undefined;
    const end = match.index + match[0].length;
    const word = match[0] + (REST_OF_WORD.exec(part.slice(end, end + 200))?.[0] ?? "");
    const isExample = EXAMPLE.test(part.slice(Math.max(0, match.index - 40), match.index));
    if (!isExample && (confirm?.(match) ?? true) && counts(word)) return word;
  }
  return undefined;
}

/** What follows these words is made up. */
const EXAMPLE = /\b(?:e\.g\.|i\.e\.|such as|for example|for instance|example:)[\s,:"'`(]{0,5}(?:https?:\/\/)?$/i;

const REST_OF_WORD = /^[^\s"'`<>(),;]+/;
