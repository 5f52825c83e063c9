import { mayRead, TOO_MUCH } from "./filter-work.ts";
import { FILTER_WINDOW, filterWindow, toLine } from "./line.ts";
import { AUTHORED_RULES, readsLikeText } from "./rules/authored.ts";
import { firstRuleIn, type RuleGroup } from "./rules/rule.ts";
import { containsSecret, type SecretFilter } from "./secrets.ts";

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
export function pickFilterOptions({ secrets, allow, callerTexts, textPolicy }: FilterOptions): FilterOptions {
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
    countRedaction(TOO_MUCH, text, options.secrets);
    return undefined;
  }
  const line = toLine(text, max);
  const rule = ruleAgainst(text, line, find, options);
  if (rule === undefined) return line;
  countRedaction(rule, text, options.secrets);
  return undefined;
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
  const head = filterWindow(text);
  if (containsSecret(head, options.secrets)) return "secret";
  // Padding could move a secret across the end of the window, so that its first part would be shown.
  if (head.length < text.length && toLine(head, FILTER_WINDOW).length < FILTER_WINDOW / 2) return "hostile.padding";
  return find?.(head, options);
}

/** Decides which texts may be shown, by who wrote them and which way they travel. */
export interface TextPolicy {
  /** The id of the rule that forbids to show a name or a value. Undefined if it may be shown. */
  ruleForValue(text: string, options: FilterOptions): string | undefined;
  /** The id of the rule that forbids to show a quotation. Undefined if it may be shown. */
  ruleForQuote(text: string, options: FilterOptions): string | undefined;
  /** The id of the rule that forbids to show a web address. @default every address may be shown */
  ruleForLink?(link: string, options: FilterOptions): string | undefined;
}

/** For texts that were checked when they were taken over: only secrets are looked for. */
export const CHECKED_TEXT: TextPolicy = { ruleForValue: none, ruleForQuote: none };

function none(): undefined {}

/** The options with this policy, unless they name another. */
export function withPolicy<O extends FilterOptions>(options: O, textPolicy: TextPolicy): O {
  return options.textPolicy === undefined ? { ...options, textPolicy } : options;
}

/** The rule that a text matches; undefined if it may be shown. */
export type RuleFinder = (text: string, options: FilterOptions) => string | undefined;

let installed: RuleFinder | undefined;

/** Makes the full pattern filter available to texts that authors interpolate. Most programs never need its rules. */
export function installFinder(find: RuleFinder): void {
  installed = find;
}

/** Stands for the rule if no filter is installed: a text that nothing can judge is not shown. */
export const NOT_INSTALLED = "filter.not-installed";

/** The rule of the full filter that a text matches. */
function fullFilterRule(text: string, options: FilterOptions): string | undefined {
  return installed === undefined ? NOT_INSTALLED : installed(text, options);
}

/**
 * For values that an author chose to show. Names, ids, hosts and paths are the author's choice, so only unmistakable
 * credentials and marks of chat templates are refused. A value that reads like a sentence, an error or a dump was probably
 * written by another program, so it passes the full filter, as quotations do.
 */
export const AUTHORED_TEXT: TextPolicy = {
  ruleForValue: (text, options) =>
    firstRuleIn(AUTHORED_RULES, text, options.allow) ??
    (readsLikeText(text) ? fullFilterRule(text, options) : undefined),
  ruleForQuote: fullFilterRule,
};

const counts = new Map<string, number>();

/** How many texts were removed since the process started, by the id of the rule. `secret` means a known secret value. */
export function redactionCounts(): Readonly<Record<string, number>> {
  return Object.fromEntries(counts);
}

/** Gets each text that is removed, with the id of the rule and the secrets of the request. */
export type RemovalListener = (text: string, rule: string, secrets?: SecretFilter) => void;

let listener: RemovalListener | undefined;

/** Tells a listener about removed texts from now on. There is one for the process: what it says is for developers. */
export function listenForRemovals(listen: RemovalListener | undefined): void {
  listener = listen;
}

/** Counts one text that was removed. Without the text the listener does not learn about it. */
export function countRedaction(rule: string, text = "", secrets?: SecretFilter): void {
  counts.set(rule, (counts.get(rule) ?? 0) + 1);
  if (text !== "") listener?.(text, rule, secrets);
}
