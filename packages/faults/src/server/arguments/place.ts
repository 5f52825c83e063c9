import type { Issue, IssueRule } from "../../fault/fault.ts";
import { toPointer } from "../../fault/pointer.ts";
import { fitted } from "./describe.ts";

/** A place in the arguments, told with names of the schema alone. */
export interface Place {
  readonly path: readonly (string | number)[];
  /** Where it stands in the order of the schema. */
  readonly rank: readonly number[];
  /** Below a key that the caller chose, which is never told: the way on from there. */
  readonly within?: readonly (string | number)[];
}

/** A problem, and where it stands in the order of the schema. */
export interface Problem {
  readonly issue: Issue;
  readonly rank: readonly number[];
}

/** The arguments as a whole. */
export const WHOLE: Place = { path: [], rank: [] };

/** The place below another; `named` tells whether the schema knows the key, or the caller chose it. */
export function below(place: Place, key: string | number, { rank, named }: { rank: number; named: boolean }): Place {
  const ranks = [...place.rank, rank];
  if (!named) return { path: place.path, rank: ranks, within: [] };
  if (place.within !== undefined) return { path: place.path, rank: ranks, within: [...place.within, key] };
  return { path: [...place.path, key], rank: ranks };
}

/** What there is to tell about a place. */
interface Told {
  readonly rule: IssueRule;
  readonly expected?: string | undefined;
  readonly suggestion?: string | undefined;
}

/** A problem at a place; below a key that the caller chose it is told of the object that holds the key. */
export function problemAt(place: Place, { rule, expected, suggestion }: Told): Problem {
  const { within } = place;
  const way = within === undefined || within.length === 0 ? "" : `${within.join(".").slice(0, 40)} of `;
  const after = within === undefined ? "" : ` for ${way}each value`;
  return {
    issue: {
      pointer: toPointer(place.path),
      // The object itself is there; what is missing is somewhere in it.
      rule: within !== undefined && rule === "required" ? "custom" : rule,
      ...(expected !== undefined && { expected: fitted(expected, after) }),
      ...(suggestion !== undefined && { suggestion }),
    },
    rank: place.rank,
  };
}

/** The issues of problems: in the order of the schema, each once. */
export function inOrder(problems: readonly Problem[], most: number): Issue[] {
  const seen = new Set<string>();
  return problems
    .toSorted((a, b) => compare(a.rank, b.rank))
    .map((problem) => problem.issue)
    .filter((issue) => {
      const text = JSON.stringify([issue.pointer, issue.rule, issue.expected, issue.suggestion]);
      if (seen.has(text)) return false;
      seen.add(text);
      return true;
    })
    .slice(0, most);
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const [one = 0, other = 0] = [a[i], b[i]];
    if (one !== other) return one < other ? -1 : 1;
  }
  return a.length - b.length;
}
