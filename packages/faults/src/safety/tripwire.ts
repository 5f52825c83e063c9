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

/** Names the first rule that a text trips, as it is or without its escapes, or undefined when it may be shown. */
export function tripwire(text: string, options?: { readonly allow?: readonly RuleGroup[] }): RuleId | undefined {
  const head = text.slice(0, WINDOW);
  const plain = plainView(head);
  const allow = options?.allow;
  return firstHit(head, allow) ?? (plain === head ? undefined : firstHit(plain.slice(0, 2 * WINDOW), allow));
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
