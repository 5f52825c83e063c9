import { type Scope, spendSchemaWork } from "./scope.ts";

/** Patterns and texts longer than this are not tried. */
const MAX_TRIED_LENGTH = 512;
/** Ways of matching that may be tried here: a pattern that may need more could stall the server. */
const MAX_TRIED_WAYS = 300_000;

/** What a pattern for other validators may cost: one endless repetition, few bounded ones. */
const PUBLISHED = { patternLength: 300, textLength: 1_000, ways: 100_000 } as const;

/** The start of a group, a choice, or an atom with its quantifier: a group's end, a back reference, any other. */
const PATTERN_TOKEN =
  /(\()(?:\?(?:[:=!]|<[=!]|<\w+>))?|(\|)|(?:(\))|(\\[1-9k])|\\(?:[pPu]\{[^}]*\}|[\s\S])?|\[(?:\\[\s\S]|[^\\\]])*\]?|[\s\S])(?:([*+?])|\{(\d+)(,?)(\d*)\})?\??/g;

/** Whether a text matches a pattern; undefined when the pattern is invalid, or not certain to be cheap. */
export function matchesPattern(scope: Scope, source: string, text: string): boolean | undefined {
  // Schemas for other engines escape more than a Unicode expression allows, so both modes are tried.
  const verdict = isCheapToTry(scope, source, text)
    ? (compile(source, "u") ?? compile(source, ""))?.test(text)
    : undefined;
  if (verdict === undefined) scope.skipped += 1;
  return verdict;
}

function isCheapToTry(scope: Scope, source: string, text: string): boolean {
  if (source.length > MAX_TRIED_LENGTH || text.length > MAX_TRIED_LENGTH) return false;
  // Reading the pattern is work too.
  const ways = spendSchemaWork(scope, 10) ? patternCost(source, text.length) : Number.POSITIVE_INFINITY;
  return ways <= MAX_TRIED_WAYS && spendSchemaWork(scope, ways / 20);
}

function compile(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/**
 * Whether a pattern may be published for other validators, which run it on whatever callers send: valid, anchored at the
 * start, cheap on long texts, and either without groups and choices or without endless repetitions, as the pattern of a date.
 */
export function isCheapPattern(source: string): boolean {
  if (source.length > PUBLISHED.patternLength || !source.startsWith("^")) return false;
  const { hasGroups, isEndless, isPlain } = outlineOf(source);
  if (!isPlain || (hasGroups && isEndless)) return false;
  return patternCost(source, PUBLISHED.textLength) <= PUBLISHED.ways && compile(source, "u") !== undefined;
}

/** How a pattern is built. It is plain if it only groups: no look around, no names, no choice that the anchor does not hold. */
function outlineOf(source: string): Readonly<Record<"hasGroups" | "isEndless" | "isPlain", boolean>> {
  let depth = 0;
  const outline = { hasGroups: false, isEndless: false, isPlain: true };
  for (const [token, start, choice, end, reference, sign, from, comma, to] of source.matchAll(PATTERN_TOKEN)) {
    if (start !== undefined) depth += 1;
    if (end !== undefined) depth -= 1;
    outline.hasGroups ||= start !== undefined;
    outline.isEndless ||= sign === "*" || sign === "+" || (from !== undefined && comma === "," && to === "");
    const isOther = start !== undefined && token !== "(" && token !== "(?:";
    outline.isPlain &&= !isOther && reference === undefined && !(choice !== undefined && depth === 0);
  }
  return outline;
}

/**
 * An upper bound of the ways in which a backtracking engine can try a pattern on a text of some length. A sequence
 * multiplies the ways, an alternative adds them, and repeating what has more than one way is a power.
 */
export function patternCost(source: string, length: number): number {
  const outer: { done: number; current: number }[] = [];
  /** The ways of the alternatives that ended, and of the one that is being read. */
  let group = { done: 0, current: 1 };
  for (const [, start, choice, end, reference, sign, from, comma, to] of source.matchAll(PATTERN_TOKEN)) {
    if (start !== undefined) outer.push(group);
    if (start !== undefined || choice !== undefined) {
      group = { done: choice === undefined ? 0 : group.done + group.current, current: 1 };
      continue;
    }
    // What a group matched before can be of any length.
    let ways = reference === undefined ? 1 : Number.POSITIVE_INFINITY;
    if (end !== undefined) {
      ways = group.done + group.current;
      group = outer.pop() ?? { done: 0, current: 1 };
    }
    const [least, most] = repetitions({ sign, from, comma, to }, length);
    group.current *= (most - least + 1) * (ways === 1 ? 1 : ways ** most);
  }
  const ways = group.done + group.current;
  const isAnchored = source.startsWith("^") && !source.includes("|");
  return isAnchored ? ways : ways * (length + 1);
}

type Quantifier = Readonly<Record<"sign" | "from" | "comma" | "to", string | undefined>>;

function repetitions({ sign, from, comma, to }: Quantifier, length: number): readonly [least: number, most: number] {
  if (sign !== undefined) return [sign === "+" ? 1 : 0, sign === "?" ? 1 : Math.max(1, length)];
  if (from === undefined) return [1, 1];
  const least = Math.min(Number(from), length);
  return [least, comma === "" ? least : Math.max(least, Math.min(length, to ? Number(to) : length))];
}
