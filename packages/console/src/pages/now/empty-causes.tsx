import type { IncidentClass, Range, Series } from "../../api/types.ts";
import { withNoun } from "../../format/numbers.ts";
import { now } from "../../state/clock.ts";
import { useResource } from "../../state/resource.ts";
import { href } from "../../state/router.ts";
import { RANGE_WORDS, rangeReaching } from "./ranges.ts";

/** No incidents: the next longer time that has some, and how to see one. */
export function EmptyCauses({ range, last }: { readonly range: Range; readonly last: IncidentClass | undefined }) {
  const longer = last && rangeReaching(last.lastSeen, { nowMs: now.peek(), from: range });
  const path = longer && `incident-series?by=fingerprint&top=5&range=${longer}`;
  const { value } = useResource<Series>(path);
  return (
    <div class="empty">
      <b>No incidents in {RANGE_WORDS[range].last}</b>
      {longer !== undefined && (
        <>
          Try a longer time: <a href={href("", { range: longer })}>{RANGE_WORDS[longer].last}</a>
          {value === undefined ? " have some" : ` have ${seriesWords(value)}`}.{" "}
        </>
      )}
      To see what an incident looks like, let the demo server fail: <code>recourse init</code>, then ask for order 8.
    </div>
  );
}

/** `3 incidents, of one cause`. */
function seriesWords({ groups, other }: Series): string {
  const incidents = groups.reduce((all, { total }) => all + total, other.total);
  const causes = groups.length + other.groups;
  return `${withNoun(incidents, "incident")}, of ${causes === 1 ? "one cause" : withNoun(causes, "cause")}`;
}
