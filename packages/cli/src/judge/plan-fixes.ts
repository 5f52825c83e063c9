import { CHECK_SEVERITIES } from "../checks/check.ts";
import { answerLayer, fixCalls, fixReach } from "../fixes/fix-calls.ts";
import type { RecordedExchange, RecordedTarget } from "../recording/recording.ts";
import type { CheckReport, FixStep } from "../report/report.ts";

/** What is judged, and where. */
interface FixContext {
  readonly reports: readonly CheckReport[];
  /** The ids of the findings that cost points and follow from no other. */
  readonly scored: ReadonlySet<string>;
  readonly transport: RecordedTarget["transport"];
  /** The exchanges that a finding names. */
  readonly evidence: (id: string) => readonly RecordedExchange[];
  /** The score without some findings: with every cap, and with what was not tested. */
  readonly scoreWithout: (ids: readonly string[]) => number;
}

/** What to do, the most points first. Findings that the same call fixes are one step. */
export function planFixes(judged: FixContext): FixStep[] {
  const { reports, scored } = judged;
  const steps = Map.groupBy(
    reports.filter(({ id, severity }) => scored.has(id) && severity !== "info"),
    (report) => stepKey(report, judged),
  );
  return [...steps.values()]
    .toSorted((a, b) => worstSeverity(a) - worstSeverity(b))
    .flatMap((fixed) => planStep(fixed, judged) ?? [])
    .toSorted((a, b) => b.points - a.points);
}

/** Findings with the same key are fixed by the same thing. */
function stepKey({ fix }: CheckReport, { transport }: FixContext): string | undefined {
  return fix && (fixCalls(fix, transport) ?? fix.code ?? fix.text);
}

function planStep(findings: readonly CheckReport[], judged: FixContext): FixStep | undefined {
  const { reports, transport, scoreWithout } = judged;
  const fixes = findings.flatMap(({ fix }) => fix ?? []);
  // The shortest code is the one that says nothing about other transports.
  const [fix] = fixes.toSorted((a, b) => (a.code?.length ?? 0) - (b.code?.length ?? 0));
  const [first] = findings;
  if (fix === undefined || first === undefined) return undefined;
  const key = stepKey(first, judged);
  const calls = fixCalls(fix, transport);
  const same = fixes.every(({ text }) => text === fix.text);
  const sure = findings.filter((one) => isReached(one, judged));
  const causes = new Set(sure.map(({ id }) => id));
  const consequences = reports.filter(
    (one) => causes.has(one.causedBy ?? "") && stepKey(one, judged) === key && isReached(one, judged),
  );
  const cures = [...sure, ...consequences].map(({ id }) => id);
  if (cures.length === 0) return undefined;
  return {
    text: same || calls === undefined ? fix.text : `Use \`${calls}\`: it fixes ${sure.length} findings.`,
    ...(fix.code !== undefined && { code: fix.code }),
    cures,
    points: Math.max(0, scoreWithout(cures) - scoreWithout([])),
  };
}

/** Whether a fix changes every answer that shows the finding. What an author does by hand changes all of them. */
function isReached({ id, fix }: CheckReport, { transport, evidence }: FixContext): boolean {
  const reach = fix && fixReach(fix, transport);
  return reach === undefined || evidence(id).every((exchange) => reach.has(answerLayer(exchange, transport)));
}

function worstSeverity(reports: readonly CheckReport[]): number {
  return Math.min(...reports.map(({ severity }) => CHECK_SEVERITIES.indexOf(severity)));
}
