import { SEVERITIES } from "../checks/check.ts";
import type { Target } from "../recording/recording.ts";
import { callsOf } from "../report/calls.ts";
import type { CheckReport, FixStep } from "../report/report.ts";
import { type ScoredGroup, scoreOf } from "./score.ts";

/** The scored findings by the id of their check. */
type Groups = ReadonlyMap<string, ScoredGroup>;

/** What is judged, and where. */
interface Judged {
  readonly reports: readonly CheckReport[];
  readonly groups: Groups;
  readonly transport: Target["transport"];
}

/** What to do, the most points first. Findings that the same call mends are one step. */
export function fixesOf(judged: Judged): FixStep[] {
  const { reports, groups, transport } = judged;
  const scored = reports.filter(({ id, severity }) => groups.has(id) && severity !== "info");
  const steps = Map.groupBy(scored, ({ fix }) => fix && (callsOf(fix, transport) ?? fix.code ?? fix.text));
  return [...steps.values()]
    .toSorted((a, b) => worstOf(a) - worstOf(b))
    .flatMap((mended) => stepOf(mended, judged) ?? [])
    .toSorted((a, b) => b.points - a.points);
}

function stepOf(mended: readonly CheckReport[], { reports, groups, transport }: Judged): FixStep | undefined {
  const fixes = mended.flatMap(({ fix }) => fix ?? []);
  // The shortest code is the one that says nothing about other transports.
  const [fix] = fixes.toSorted((a, b) => (a.code?.length ?? 0) - (b.code?.length ?? 0));
  if (fix === undefined) return undefined;
  const calls = callsOf(fix, transport);
  const same = fixes.every(({ text }) => text === fix.text);
  const ids = mended.map(({ id }) => id);
  const consequences = reports.filter(({ causedBy }) => causedBy !== undefined && ids.includes(causedBy));
  const left = [...groups].filter(([id]) => !ids.includes(id)).map(([, group]) => group);
  return {
    text: same || calls === undefined ? fix.text : `Use \`${calls}\`: it mends ${mended.length} findings.`,
    ...(fix.code !== undefined && { code: fix.code }),
    cures: [...ids, ...consequences.map(({ id }) => id)],
    points: scoreOf(left) - scoreOf([...groups.values()]),
  };
}

function worstOf(reports: readonly CheckReport[]): number {
  return Math.min(...reports.map(({ severity }) => SEVERITIES.indexOf(severity)));
}
