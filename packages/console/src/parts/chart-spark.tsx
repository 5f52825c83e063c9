import { type ChartColour, shrinkCounts } from "./chart-data.ts";

/** As many bars fit into 96 px. */
const BARS = 24;
/** A bar of the least count of all is still seen. */
const LEAST = 1.5;

/** Counts over time in the size of a word. It is decoration: the count stands beside it. */
export function Spark({ counts, colour }: { readonly counts: readonly number[]; readonly colour: ChartColour }) {
  const bars = shrinkCounts(counts, BARS);
  const highest = Math.max(4, ...bars);
  return (
    <svg class={`spark ${colour}`} viewBox="0 0 96 24" preserveAspectRatio="none" aria-hidden="true">
      {bars.map((value, at) => {
        const tall = Math.max(LEAST, (value / highest) * 23);
        return value > 0 && <rect key={at} x={at * 4} width="3" y={24 - tall} height={tall} rx=".6" />;
      })}
      <path d="M0 23.5h96" />
    </svg>
  );
}
