import { spend, type Walk } from "./walk.ts";

/** Patterns and texts longer than this are not tried. */
const LONGEST = 512;
/** The most ways of matching that are tried; a pattern that may need more could stall the server. */
const MOST_WAYS = 300_000;

/** Whether a text matches a pattern; undefined when it is invalid, or not certain to be cheap. */
export function matches(walk: Walk, source: string, text: string): boolean | undefined {
  if (source.length > LONGEST || text.length > LONGEST) return undefined;
  const ways = waysOf(source, text.length);
  if (ways > MOST_WAYS || !spend(walk, 10 + ways / 20)) return undefined;
  return compiled(source)?.test(text);
}

function compiled(source: string): RegExp | undefined {
  for (const flags of ["u", ""]) {
    try {
      return new RegExp(source, flags);
    } catch {
      // Schemas written for other engines may escape what a Unicode pattern must not.
    }
  }
  return undefined;
}

/**
 * An upper bound of the ways in which a backtracking engine can try a pattern on a text of some length.
 * A sequence multiplies, an alternative adds, and repeating what has more than one way is a power.
 */
export function waysOf(source: string, length: number): number {
  let index = 0;

  function alternatives(): number {
    let ways = sequence();
    while (source[index] === "|") {
      index += 1;
      ways += sequence();
    }
    return ways;
  }

  function sequence(): number {
    let ways = 1;
    while (index < source.length && source[index] !== "|" && source[index] !== ")") ways *= repeated();
    return ways;
  }

  function repeated(): number {
    const ways = atom();
    const [least, most] = quantifier();
    const counts = most - least + 1;
    return ways === 1 ? counts : counts * ways ** most;
  }

  function atom(): number {
    const first = source[index];
    if (first === "(") {
      index += /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(source.slice(index))?.[0].length ?? 1;
      const ways = alternatives();
      index += 1;
      return ways;
    }
    if (first === "[") index = endOfClass();
    else if (first === "\\") return escaped();
    else index += 1;
    return 1;
  }

  function escaped(): number {
    const text = /^\\(?:[pPu]\{[^}]*\}|x..|u....|c.|[\s\S])?/.exec(source.slice(index))?.[0] ?? "\\";
    index += text.length;
    // What a group matched before can be of any length.
    return /^\\[1-9k]/.test(text) ? Number.POSITIVE_INFINITY : 1;
  }

  function endOfClass(): number {
    let end = index + 1;
    while (end < source.length && source[end] !== "]") end += source[end] === "\\" ? 2 : 1;
    return end + 1;
  }

  function quantifier(): readonly [least: number, most: number] {
    const [text, sign, from, comma, to] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(
      source.slice(index, index + 24),
    ) ?? [""];
    index += text.length;
    if (text === "") return [1, 1];
    if (sign !== undefined) return [sign === "+" ? 1 : 0, sign === "?" ? 1 : Math.max(1, length)];
    const least = Math.min(Number(from), length);
    return [least, comma === "" ? least : Math.max(least, Math.min(length, to ? Number(to) : length))];
  }

  let ways = 0;
  // A stray closing bracket ends the alternatives early; such a pattern does not compile.
  while (index < source.length) {
    ways += alternatives();
    index += 1;
  }
  return source.startsWith("^") && !source.includes("|") ? ways : ways * (length + 1);
}
