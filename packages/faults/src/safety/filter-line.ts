import { toLine, WINDOW, windowOf } from "./line.ts";
import { findPattern } from "./pattern-filter.ts";
import { countRedaction } from "./redaction-counts.ts";
import type { RuleGroup } from "./rules/rule.ts";
import { containsSecret, type SecretFilter } from "./secrets.ts";

/** Options of the filter that all foreign text passes. */
export interface FilterOptions {
  /** The secrets of this request. The registered secrets of the process are always looked for. @default none */
  readonly secrets?: SecretFilter | undefined;
  /** Groups of pattern rules that are not applied, such as `path` for a server that is about files. @default none */
  readonly allow?: readonly RuleGroup[] | undefined;
  /** Texts that the caller sent with this call. A match that only repeats one of them is shown. @default none */
  readonly callerTexts?: readonly string[] | undefined;
}

/** Options of `filterLine`. */
export interface LineFilterOptions extends FilterOptions {
  /** The maximum length, in UTF-16 units. */
  readonly max: number;
  /** Whether the pattern rules are applied too. They are not needed for a text whose form was checked. */
  readonly patterns: boolean;
}

/** The text as one printable line, or undefined if it contains a secret or matches a pattern rule. */
export function filterLine(text: string, options: LineFilterOptions): string | undefined {
  const line = toLine(text, options.max);
  // Joining lines can put a secret together that the text itself did not contain.
  const rule =
    findLeak(text, options) ?? (line !== text && containsSecret(line, options.secrets) ? "secret" : undefined);
  if (rule === undefined) return line;
  countRedaction(rule);
  return undefined;
}

function findLeak(text: string, options: LineFilterOptions): string | undefined {
  const head = windowOf(text);
  if (containsSecret(head, options.secrets)) return "secret";
  // Padding could move a secret across the end of the window, so that its first part would be shown.
  if (head.length < text.length && toLine(head, WINDOW).length < WINDOW / 2) return "hostile.padding";
  if (!options.patterns) return undefined;
  return findPattern(head, { allow: options.allow, callerTexts: options.callerTexts });
}
