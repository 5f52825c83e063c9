import type { Change, Series } from "../../api/types.ts";
import { Chart } from "../../parts/chart.tsx";
import type { ChartMark } from "../../parts/chart-data.ts";
import { changeWords, isCandidate } from "../changes/change-words.ts";

/** The height of the chart, also before it is drawn. */
const CHART_HEIGHT = 196;
/** More labels than this cover each other. */
const MAX_CHANGE_MARKS = 4;

/** Incidents of one cause over time, with the changes of that time. */
export function OneCauseChart({
  series,
  fingerprint,
  what,
  changes = [],
  thisOne,
}: {
  readonly series: Series;
  readonly fingerprint: string;
  /** What is counted, such as "Incidents of this cause a minute in the last hour". */
  readonly what: string;
  /** @default none */
  readonly changes?: readonly Change[];
  /** When the incident that is shown happened. @default none is shown */
  readonly thisOne?: string;
}) {
  const counts = causeCounts(series, fingerprint);
  const marks: readonly ChartMark[] = [
    ...changes
      .filter((change) => isCandidate(change) && Date.parse(change.at) >= Date.parse(series.since))
      .slice(0, MAX_CHANGE_MARKS)
      .map((change) => ({ at: change.at, label: changeWords(change).mark })),
    ...(thisOne === undefined ? [] : [{ at: thisOne, label: "this one" }]),
  ];
  const rows = [{ name: "This cause", colour: "c1", counts } as const];
  return <Chart data={{ since: series.since, step: series.step, rows, marks }} what={what} height={CHART_HEIGHT} />;
}

/** The counts of one cause. An answer without it counts none. */
function causeCounts({ groups, length }: Series, fingerprint: string): readonly number[] {
  return groups.find(({ group }) => group === fingerprint)?.counts ?? Array.from({ length }, () => 0);
}
