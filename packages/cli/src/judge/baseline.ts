import { entriesOf, isObject, memberAt, numberAt, objectAt, parseJson, stringAt } from "@recourse/core/wire";
import type { CheckReport, Report } from "../report/report.ts";

/** Findings that you know about, by the id of their check, each with your reason. */
export interface Baseline {
  readonly set: number;
  /** They are scored, and `--fail-on` ignores them. */
  readonly known: Readonly<Record<string, string>>;
  /** Another document asks for this behaviour, such as the contract of a system. They are not scored. */
  readonly forced: Readonly<Record<string, string>>;
}

const BASELINE_LISTS = ["known", "forced"] as const;

/** What a file may name. */
interface BaselineRules {
  /** The set that it must be for. @default any */
  readonly set?: number | undefined;
  readonly ids: ReadonlySet<string>;
}

/** Reads a baseline file. A problem is one sentence. */
export function parseBaseline(
  text: string,
  rules: BaselineRules,
): { readonly ok: true; readonly baseline: Baseline } | { readonly ok: false; readonly problem: string } {
  const file = parseJson(text);
  const problem = baselineProblem(file, rules);
  if (problem !== undefined) return { ok: false, problem };
  const list = (name: (typeof BASELINE_LISTS)[number]) =>
    objectAt(file, name) as Readonly<Record<string, string>> | undefined;
  return {
    ok: true,
    baseline: { set: numberAt(file, "set") ?? 0, known: list("known") ?? {}, forced: list("forced") ?? {} },
  };
}

function baselineProblem(file: unknown, { set, ids }: BaselineRules): string | undefined {
  if (!isObject(file)) return 'The baseline is not JSON of the form { "set": 1, "known": { "leak-path": "reason" } }.';
  const other = Object.keys(file).find((key) => key !== "set" && !BASELINE_LISTS.some((name) => name === key));
  if (other !== undefined)
    return `The baseline has a member ${baselineValue(other)}; "set", "known" and "forced" are allowed.`;
  const given = memberAt(file, "set");
  if (set === undefined ? !Number.isSafeInteger(given) : given !== set)
    return `The baseline is for set ${baselineValue(given)}, and this probe judges by set ${set ?? "1 or later"}.`;
  const seen = new Set<string>();
  for (const name of BASELINE_LISTS) {
    const list = memberAt(file, name);
    if (list !== undefined && !isObject(list)) return `"${name}" of the baseline is not an object of ids and reasons.`;
    for (const [id, reason] of entriesOf(list)) {
      if (!ids.has(id)) return `The baseline names ${baselineValue(id)}, which is not a check.`;
      if (seen.has(id)) return `The baseline names ${baselineValue(id)} twice.`;
      if (typeof reason !== "string" || reason.trim() === "")
        return `The baseline gives no reason for ${baselineValue(id)}.`;
      seen.add(id);
    }
  }
  return undefined;
}

function baselineValue(value: unknown): string {
  return JSON.stringify(value) ?? "undefined";
}

/**
 * A baseline of what a report found, as the text of a file. Reasons that you gave are kept; a new entry gets a text that asks
 * for one. An entry whose check passes now is left out, and one whose check was not run stays.
 */
export function writeBaseline(report: Report, earlier?: Baseline): string {
  const { set, checks, startedAt } = report;
  const reason = `Found ${startedAt.slice(0, 10)}. Replace this by why it is accepted, who decided, and until when.`;
  const forced = pickEntries(checks, ({ id, state }) =>
    stays(report, state) ? stringAt(earlier?.forced, id) : undefined,
  );
  const known = pickEntries(checks, ({ id, state, severity }) => {
    if (Object.hasOwn(forced, id)) return undefined;
    const before = stays(report, state) ? stringAt(earlier?.known, id) : undefined;
    return before ?? (state === "fail" && severity !== "info" ? reason : undefined);
  });
  return `${JSON.stringify({ set, known, forced }, undefined, 2)}\n`;
}

/** Whether an entry is still needed. A probe that was ended early says nothing about what it did not see. */
function stays({ interrupted }: Report, state: CheckReport["state"]): boolean {
  return state !== "pass" || interrupted;
}

function pickEntries(
  checks: readonly CheckReport[],
  toReason: (check: CheckReport) => string | undefined,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    checks.flatMap((check) => {
      const reason = toReason(check);
      return reason === undefined ? [] : [[check.id, reason]];
    }),
  );
}
