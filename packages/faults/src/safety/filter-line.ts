import { mayRead, TOO_MUCH } from "./filter-work.ts";
import { toLine, WINDOW, windowOf } from "./line.ts";
import { countRedaction } from "./redaction-counts.ts";
import type { RuleGroup } from "./rules/rule.ts";
import { containsSecret, type SecretFilter } from "./secrets.ts";
import type { TextPolicy } from "./text-policy.ts";

/** Options of the filters that texts pass. */
export interface FilterOptions {
  /** The secrets of this request. The registered secrets of the process are always looked for. @default none */
  readonly secrets?: SecretFilter | undefined;
  /** Groups of pattern rules that are not applied, such as `path` for a server that is about files. @default none */
  readonly allow?: readonly RuleGroup[] | undefined;
  /**
   * Whose words the values and quotations are. Pass `FOREIGN_TEXT` for values that you took over from another program.
   * @default values are yours, quotations are not
   */
  readonly textPolicy?: TextPolicy | undefined;
  /** Texts that the caller sent with this call. A match that only repeats one of them is shown. @default none */
  readonly callerTexts?: readonly string[] | undefined;
}

/** The options of the filters alone, without what else an options object has. */
export function filterOf({ secrets, allow, callerTexts, textPolicy }: FilterOptions): FilterOptions {
  return { secrets, allow, callerTexts, textPolicy };
}

/** How a line is made of a text. */
export interface LineOptions {
  /** The maximum length, in UTF-16 units. */
  readonly max: number;
  /** Finds the rule that forbids to show the text. @default none: its form was checked elsewhere */
  readonly rule?: ((text: string, options: FilterOptions) => string | undefined) | undefined;
}

/** The text as one printable line, or undefined if it contains a secret or a rule forbids to show it. */
export function filterLine(
  text: string,
  { max, rule: find }: LineOptions,
  options: FilterOptions = {},
): string | undefined {
  if (!mayRead(text.length, "line")) {
    countRedaction(TOO_MUCH, text);
    return undefined;
  }
  const line = toLine(text, max);
  const rule = ruleAgainst(text, line, find, options);
  if (rule === undefined) return line;
  countRedaction(rule, text);
  return undefined;
}

/** The rule that forbids to show a text of at most one window, whole and as it is. */
export function ruleAgainstText(
  text: string,
  find: NonNullable<LineOptions["rule"]>,
  options: FilterOptions,
): string | undefined {
  return ruleAgainst(text, toLine(text, WINDOW), find, options);
}

function ruleAgainst(
  text: string,
  line: string,
  find: LineOptions["rule"],
  options: FilterOptions,
): string | undefined {
  const rule = findLeak(text, find, options);
  // Joining lines can put a secret together that the text itself did not contain.
  return rule ?? (line !== text && containsSecret(line, options.secrets) ? "secret" : undefined);
}

function findLeak(text: string, find: LineOptions["rule"], options: FilterOptions): string | undefined {
  const head = windowOf(text);
  if (containsSecret(head, options.secrets)) return "secret";
  // Padding could move a secret across the end of the window, so that its first part would be shown.
  if (head.length < text.length && toLine(head, WINDOW).length < WINDOW / 2) return "hostile.padding";
  return find?.(head, options);
}
