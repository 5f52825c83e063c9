// The filters read texts of strangers, who choose how many there are and how hard they are to read. So there is one limit for
// all texts of a fault. It is counted in what is read, and not in time: the same fault reads the same on a busy machine.

/** What is done with texts, and what it costs: for each text, and for each of its characters. All rules on a character are 1. */
const COSTS = {
  line: { text: 4, character: 0 },
  patterns: { text: 25, character: 1 },
  instructions: { text: 12, character: 0.75 },
  credentials: { text: 10, character: 0.25 },
  secrets: { text: 2, character: 0.0625 },
  /** One text that comes of decoding another. */
  decoding: { text: 16, character: 0.5 },
  /** Another look at all rules, if a text may only repeat the caller. */
  matches: { text: 50, character: 2 },
} as const;

/** What may be done for one fault: some 10 ms. An honest error of 4 KB needs a fifth to a half of it, a fault with 20 issues less. */
export const MAX_FILTER_WORK = 24_000;

/** How much may be read. What is left of it is written back. */
export interface FilterLimit {
  /** What is left, in units of `MAX_FILTER_WORK`. */
  left: number;
}

/** Stands for the rule if a text was not read, since others of its fault had used up what may be read. */
export const TOO_MUCH = "filter.too-much";

/** What is known while the texts of one fault are filtered. */
interface FilterSession {
  readonly limit: FilterLimit;
  /** Texts in which nothing was found, by what was looked for: a fault has the same text in several places and passes. */
  readonly passed: Map<unknown, Set<string>>;
}

/** Undefined if there is no limit. */
let current: FilterSession | undefined;

/**
 * Runs what filters the texts of one fault. Once they have used up what may be read, the texts that are left are not shown.
 * What runs inside of another such call shares its limit. It must not wait for anything.
 */
export function limitFilters<T>(run: () => T, limit: FilterLimit = { left: MAX_FILTER_WORK }): T {
  if (current !== undefined) return run();
  current = { limit, passed: new Map() };
  try {
    return run();
  } finally {
    current = undefined;
  }
}

/**
 * The rule that forbids showing a text. If no rule matches, the search runs only once for each fault. `what` names what is
 * searched for; undefined if that differs from call to call.
 */
export function findOnce<R>(what: unknown, text: string, find: () => R | undefined): R | undefined {
  if (current === undefined || what === undefined) return find();
  const passed = current.passed.get(what) ?? new Set<string>();
  if (passed.has(text)) return undefined;
  const rule = find();
  if (rule === undefined) current.passed.set(what, passed.add(text));
  return rule;
}

/**
 * Texts that no rule of the full filter matched. The same sentences come again and again, above all in an outage, and a
 * lookup costs a hundredth of a search. Texts that were removed are never stored.
 */
const passedTexts = new Set<string>();
const MAX_PASSED_TEXTS = 512;

/** Tells whether a text is known to match no rule. What reading it costs is counted all the same. */
export function hasPassed(text: string): boolean {
  return passedTexts.has(text);
}

/** Remembers a text that matches no rule. */
export function rememberPassed(text: string): void {
  if (passedTexts.size === MAX_PASSED_TEXTS) passedTexts.clear();
  passedTexts.add(text);
}

/** Takes the cost of reading a text from what may be read; false once it is used up. */
export function mayRead(length: number, as: keyof typeof COSTS): boolean {
  const { text, character } = COSTS[as];
  return spendWork(text + length * character);
}

/** Takes other work from what may be read; false once it is used up. */
export function spendWork(cost: number): boolean {
  if (current === undefined) return true;
  current.limit.left -= cost;
  return current.limit.left >= 0;
}
