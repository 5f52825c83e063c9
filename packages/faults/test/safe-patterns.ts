// Patterns that a search for inputs on which they backtrack has found safe. It takes minutes for all of them, so by day
// only other patterns are searched.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isNightly } from "@recourse/test-kit/runs";

/** The file with the digests of one list. `RECOURSE_NIGHTLY=1 vitest run <test> -u` searches all patterns and writes it. */
export function safePatternsFile(list: "safety" | "sentences"): string {
  return fileURLToPath(new URL(`safe-patterns/${list}.txt`, import.meta.url));
}

/** Says whether a pattern is on a list. At night none is. */
export function knownSafePatterns(list: "safety" | "sentences"): (pattern: RegExp) => boolean {
  const known = new Set(isNightly ? [] : readFileSync(safePatternsFile(list), "utf8").split("\n"));
  return (pattern) => known.has(digestOf(pattern));
}

/** The lines of a list. */
export function linesFor(patterns: readonly RegExp[]): string {
  return `${[...new Set(patterns.map(digestOf))].sort().join("\n")}\n`;
}

function digestOf(pattern: RegExp): string {
  return createHash("sha256").update(String(pattern)).digest("hex").slice(0, 32);
}
