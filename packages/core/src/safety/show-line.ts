// Which texts may be shown, as one line: by who wrote them and which way they travel.

import { type CutScope, cutText, isMostlyCut, isSearchInstalled, startOf } from "./cut-text.ts";
import { CUT_MARK } from "./find-matches.ts";
import { toLine } from "./line.ts";
import type { RuleGroup } from "./rules/rule.ts";
import type { SecretFilter } from "./secrets.ts";

// The filters read texts of strangers, who choose how many there are. So there is one limit for all texts of a fault. It is
// counted in characters, and not in time: the same fault reads the same on a busy machine.

/** The most characters that are read for one fault. An honest one has a fifth of them at most. */
export const MAX_READ_CHARACTERS = 16_384;

/** How much may be read. What is left of it is written back. */
export interface ReadLimit {
  /** What is left, in characters. */
  left: number;
}

/** Stands for the rule if a text was not read, since others of its fault had used up what may be read. */
export const TOO_MUCH = "filter.too-much";

let current: ReadLimit | undefined;

/**
 * Runs what filters the texts of one fault. Once they have used up what may be read, the texts that are left are not shown.
 * What runs inside of another such call shares its limit. It must not wait for anything.
 */
export function limitReading<T>(run: () => T, limit: ReadLimit = { left: MAX_READ_CHARACTERS }): T {
  if (current !== undefined) return run();
  current = limit;
  try {
    return run();
  } finally {
    current = undefined;
  }
}

// What an author interpolates or quotes is judged where its fault leaves the program, not where it is made: a program that only
// makes faults needs no rules, and its first fault reads like all that follow. Programs of ours have the rules from the start.

/** Tells whether a value reads like a text of a program. */
type ReadsLikeText = (value: string) => boolean;
let isProgramText: ReadsLikeText | undefined;
let judgesWhereMade = false;
let isLeftToJudge = false;

/** Has the values of authors judged by this test from now on: where their faults leave, or already where they are made. */
export function judgeValues(test: ReadsLikeText, where: { readonly made: boolean }): void {
  isProgramText = test;
  judgesWhereMade ||= where.made;
}

/** Leaves a text of the fault that is being built for the moment when the fault leaves. */
export function leaveToJudge(): void {
  isLeftToJudge = true;
}

function judgesNow(): boolean {
  return isSearchInstalled() && (judgesWhereMade || current !== undefined);
}

/** Runs what builds a fault, and tells whether its texts were judged. */
export function watchJudging<T>(build: () => T): { readonly built: T; readonly isJudged: boolean } {
  const outer = isLeftToJudge;
  isLeftToJudge = false;
  try {
    const built = build();
    return { built, isJudged: !isLeftToJudge };
  } finally {
    isLeftToJudge ||= outer;
  }
}

/** Takes characters from what may be read; false once it is used up. */
function mayRead(characters: number): boolean {
  if (current === undefined) return true;
  current.left -= characters;
  return current.left >= 0;
}

/** Options of the filters that texts pass. */
export interface FilterOptions {
  /** The secrets of this request. The registered secrets of the process are always looked for. @default none */
  readonly secrets?: SecretFilter | undefined;
  /** Groups of pattern rules that are not applied, such as `path` for a server that is about files. @default none */
  readonly allow?: readonly RuleGroup[] | undefined;
  /** Whose words the values and quotations are. @default "author" */
  readonly textPolicy?: TextPolicy | undefined;
  /** Texts that the caller sent with this call. One that stands in a text as a whole is shown. @default none */
  readonly callerTexts?: readonly string[] | undefined;
}

/**
 * Whose words the texts are.
 * - `author`: values are yours, and only what nobody means to show is cut out of them; quotations are not.
 * - `foreign`: all were taken over from another program.
 * - `received`: a server sent them to this program, so they have left that server already.
 * - `checked`: they were checked when they were taken over, and only secrets are looked for.
 */
export type TextPolicy = "author" | "foreign" | "received" | "checked";

/** What a text is in a fault. */
export type TextRole = "value" | "sentence" | "quote" | "link";

const POLICY_SCOPES = {
  author: { value: "credentials", sentence: "credentials", quote: "everything", link: "secrets" },
  foreign: { value: "everything", sentence: "everything", quote: "everything", link: "templates" },
  // A value stands in a sentence of this library, so it may not be what an author would not show there either.
  received: { value: "credentials", sentence: "templates", quote: "templates", link: "templates" },
  checked: { value: "secrets", sentence: "secrets", quote: "secrets", link: "secrets" },
} as const satisfies Record<TextPolicy, Record<TextRole, CutScope>>;

export function pickFilterOptions({ secrets, allow, callerTexts, textPolicy }: FilterOptions): FilterOptions {
  return { secrets, allow, callerTexts, textPolicy };
}

/** The options with this policy, unless they name another. */
export function withPolicy<O extends FilterOptions>(options: O, textPolicy: TextPolicy): O {
  return options.textPolicy === undefined ? { ...options, textPolicy } : options;
}

/** The options of a reader: texts are the sender's unless another policy is given. */
export function asReceived<O extends FilterOptions>(options: O): O {
  return withPolicy(options, "received");
}

/** How a line is made of a text. */
export interface LineOptions {
  /** The maximum length, in UTF-16 units. */
  readonly max: number;
  /** What the text is. @default its form was checked elsewhere, and only secrets are looked for */
  readonly role?: TextRole | undefined;
}

/** What may be shown of a text, as one printable line. Undefined if too little is left of it. */
export function showLine(text: string, { max, role }: LineOptions, options: FilterOptions = {}): string | undefined {
  const { textPolicy = "author", secrets } = options;
  const scope = role === undefined ? "secrets" : scopeOf(text, textPolicy, role);
  if (scope === LEFT) {
    leaveToJudge();
    return undefined;
  }
  // More is never shown. Twice as much is read, since a line has no invisible characters and single spaces.
  const start = startOf(text, 2 * max + MARGIN);
  if (!mayRead(start.length)) {
    countRedaction(TOO_MUCH, text, secrets);
    return undefined;
  }
  // An address is shown whole or not at all, and its escapes are read.
  const cut = cutText(role === "link" ? withoutEscapes(start) : start, { ...options, scope });
  if (role === "link" && cut.rule === undefined) return start.length < text.length ? undefined : toLine(start, max);
  if (cut.rule !== undefined) countRedaction(cut.rule, text, secrets);
  if (isMostlyCut(cut) || isOnlyMark(cut.text)) return undefined;
  const line = toLine(start.length < text.length ? `${cut.text}…` : cut.text, max);
  // Joining lines can put a secret together that the text itself did not contain.
  return line === cut.text ? line : cutText(line, { secrets, scope: "secrets" }).text;
}

function withoutEscapes(link: string): string {
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
}

/** Room for white space that a line does not have. */
const MARGIN = 256;

/** Stands for the scope of a text that cannot be shown before it is judged. */
const LEFT = "left";

function scopeOf(text: string, policy: TextPolicy, role: TextRole): CutScope | typeof LEFT {
  const scope = POLICY_SCOPES[policy][role];
  if (scope === "everything") return isSearchInstalled() && (policy !== "author" || judgesNow()) ? scope : LEFT;
  if (policy !== "author" || role !== "value") return scope;
  if (!judgesNow()) leaveToJudge();
  // A value that reads like a text of a program was probably written by one.
  else if (isProgramText?.(text) === true) return "everything";
  return scope;
}

function isOnlyMark(text: string): boolean {
  return text.includes(CUT_MARK) && text.replaceAll(CUT_MARK, "").trim() === "";
}

const counts = new Map<string, number>();

/** How many texts something was cut out of since the process started, by the id of the rule. `secret` means a known secret value. */
export function redactionCounts(): Readonly<Record<string, number>> {
  return Object.fromEntries(counts);
}

type RemovalListener = (text: string, rule: string, secrets?: SecretFilter) => void;

let listener: RemovalListener | undefined;

/** Tells a listener about such texts from now on. There is one for the process: what it says is for developers. */
export function listenForRemovals(listen: RemovalListener | undefined): void {
  listener = listen;
}

/** Counts one text that something was cut out of. Without the text the listener does not learn about it. */
export function countRedaction(rule: string, text = "", secrets?: SecretFilter): void {
  counts.set(rule, (counts.get(rule) ?? 0) + 1);
  if (text !== "") listener?.(text, rule, secrets);
}
