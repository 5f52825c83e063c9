// Patterns that a search for inputs on which they backtrack has found safe. It takes minutes for all of them, so by day
// only other patterns are searched.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isNightly } from "@recourse/test-kit/runs";

type PatternList = "safety" | "sentences" | "pasted";

/** The file with the digests of one list. `RECOURSE_NIGHTLY=1 vitest run <test> -u` searches all patterns and writes it. */
export function safePatternsFile(list: PatternList): string {
  return fileURLToPath(new URL(`safe-patterns/${list}.txt`, import.meta.url));
}

/** Says whether a pattern is on a list. At night none is. */
export function knownSafePatterns(list: PatternList): (pattern: RegExp) => boolean {
  const known = new Set(isNightly ? [] : readFileSync(safePatternsFile(list), "utf8").split("\n"));
  return (pattern) => known.has(digestOf(pattern));
}

export function linesFor(patterns: readonly RegExp[]): string {
  return `${[...new Set(patterns.map(digestOf))].sort().join("\n")}\n`;
}

function digestOf(pattern: RegExp): string {
  return createHash("sha256").update(String(pattern)).digest("hex").slice(0, 32);
}

/** The patterns that stand in the code of a folder, outside its tables of rules. */
export function patternLiterals(folder: URL): readonly RegExp[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  );
  return files.flatMap((name) => literalsIn(new URL(name, folder)));
}

function literalsIn(file: URL): readonly RegExp[] {
  const code = readFileSync(file, "utf8").replace(
    /^\s*(?:\/\/|\/?\*).*$|^ +find: .*$|^ +\/.*\/[giu]*,$|^ +`.*`,$/gm,
    "",
  );
  const late = code.matchAll(/latePattern\(\s*String\.raw`([^`]+)`,\s*"([a-z]*)",?\s*\)/g);
  const found = code.matchAll(/(?<=[=(,:!&|?[\s])\/((?![*/ ])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([gimsuy]*)/g);
  return Array.from([...found, ...late], ([, source = "", flags = ""]) => new RegExp(source, flags));
}

/** The alternatives of a pattern. Each is searched by itself, which is quicker. */
export function alternativesOf(pattern: RegExp): readonly RegExp[] {
  const { source, flags } = pattern;
  if (/\\[1-9]/.test(source)) return [pattern];
  const ends = [...barsOf(source), source.length];
  return ends.map((end, i) => new RegExp(source.slice((ends[i - 1] ?? -1) + 1, end), flags));
}

function barsOf(source: string): readonly number[] {
  const bars: number[] = [];
  let depth = 0;
  for (let i = 0, inClass = false; i < source.length; i++) {
    const char = source.charAt(i);
    if (char === "\\") i++;
    else if (inClass || char === "[") inClass = char !== "]";
    else if (char === "(") depth++;
    else if (char === ")") depth--;
    else if (char === "|" && depth === 0) bars.push(i);
  }
  return bars;
}
