import { WINDOW } from "./line.ts";
import { alternativesOf } from "./literals.ts";
import { Prefilter } from "./prefilter.ts";
import type { Rule, RuleGroup } from "./rules/rule.ts";
import { RULES, type RuleId } from "./rules/rules.ts";
import { plainView } from "./views.ts";

export type { RuleGroup, RuleId };

/** One alternative of one rule. */
interface Probe {
  readonly id: RuleId;
  readonly group: RuleGroup;
  readonly find: RegExp;
  readonly judge: Rule["judge"];
}

interface Probes {
  readonly list: readonly Probe[];
  readonly prefilter: Prefilter;
}

// Made at the first use, since most programs never look at foreign text.
let probes: Probes | undefined;

function makeProbes(): Probes {
  const list = RULES.flatMap(({ id, group, find, judge }: Rule & { readonly id: RuleId }) =>
    (judge ? [new RegExp(find)] : alternativesOf(find)).map((each) => ({ id, group, find: each, judge })),
  );
  return { list, prefilter: new Prefilter(list.map((probe) => probe.find)) };
}

/**
 * Texts that passed every rule, the oldest first. The same sentences come again and again, above all in an outage, and
 * looking a text up costs a hundredth of looking through it. Only harmless ones are kept, so nothing is held that was
 * withheld.
 */
const passed = new Set<string>();
const MOST_REMEMBERED = 512;
const LONGEST_REMEMBERED = 500;

/** Names the first rule that a text trips, as it is or without its escapes, or undefined when it may be shown. */
export function tripwire(text: string, options?: { readonly allow?: readonly RuleGroup[] }): RuleId | undefined {
  if (passed.has(text)) return undefined;
  const head = text.slice(0, WINDOW);
  const plain = plainView(head);
  const allow = options?.allow;
  const hit = firstHit(head, allow) ?? (plain === head ? undefined : firstHit(plain.slice(0, 2 * WINDOW), allow));
  if (hit === undefined && allow === undefined && text.length <= LONGEST_REMEMBERED) remember(text);
  return hit;
}

function remember(text: string): void {
  passed.add(text);
  if (passed.size > MOST_REMEMBERED) for (const oldest of passed) return void passed.delete(oldest);
}

function firstHit(text: string, allow: readonly RuleGroup[] | undefined): RuleId | undefined {
  probes ??= makeProbes();
  const { list, prefilter } = probes;
  const candidates = prefilter.candidates(text);
  for (let i = candidates.indexOf(1); i >= 0; i = candidates.indexOf(1, i + 1)) {
    const probe = list[i] as Probe;
    if (!allow?.includes(probe.group) && trips(probe, text)) return probe.id;
  }
  return undefined;
}

function trips({ find, judge }: Probe, text: string): boolean {
  if (!judge) return find.test(text);
  find.lastIndex = 0;
  for (let match = find.exec(text); match; match = find.exec(text)) if (judge(match)) return true;
  return false;
}
