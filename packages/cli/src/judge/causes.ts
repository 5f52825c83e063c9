import { SEVERITIES, type Severity } from "../checks/check.ts";

/** A finding that costs points unless it follows from another one. */
export interface Finding {
  readonly id: string;
  readonly severity: Severity;
}

/** Which findings may be the cause of which, by id. */
export type Follows = ReadonlyMap<string, readonly string[]>;

/**
 * The cause of each finding that has one. A cause is never a consequence itself: what follows from a consequence follows from
 * its cause. If there are several, the worst one is it, then the one that the check names first.
 */
export function causesOf(findings: readonly Finding[], follows: Follows): ReadonlyMap<string, string> {
  const found = new Map(findings.map((finding) => [finding.id, finding]));
  const candidates = (id: string) => ancestorsOf(id, follows).flatMap((one) => found.get(one) ?? []);
  const roots = new Set(findings.filter(({ id }) => candidates(id).length === 0).map(({ id }) => id));
  return new Map(
    [...follows.keys()].flatMap((id) => {
      const [cause] = candidates(id)
        .filter((one) => roots.has(one.id))
        .toSorted((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
      return cause === undefined ? [] : [[id, cause.id] as const];
    }),
  );
}

/** What a check follows, and what that follows in turn, the nearest first. */
function ancestorsOf(id: string, follows: Follows): readonly string[] {
  const seen = new Set<string>();
  let next = follows.get(id) ?? [];
  while (next.length > 0) {
    const fresh = next.filter((one) => one !== id && !seen.has(one));
    for (const one of fresh) seen.add(one);
    next = fresh.flatMap((one) => follows.get(one) ?? []);
  }
  return [...seen];
}
