import { firstAnswer } from "../../api/client.ts";
import { clock } from "../../format/time.ts";
import { OnDemand } from "../../parts/on-demand.tsx";
import { Part } from "../../parts/part.tsx";
import { isUnreachable } from "../../state/reach.ts";
import { place } from "../../state/router.ts";
import { rangeInAddress } from "./ranges.ts";
import { useOverview } from "./use-overview.ts";
import { VerdictHead } from "./verdict-head.tsx";

// The verdict needs one script and one answer. The rest comes after it, or soon, to show that it is loading.
const BONES_MS = 300;
const loadCards = async () => {
  await Promise.race([firstAnswer, new Promise((resolve) => setTimeout(resolve, BONES_MS))]);
  return (await import("./now-cards.tsx")).NowCards;
};

/** What is failing now, and for whom. */
export function NowPage() {
  const range = rangeInAddress(place.value.query.get("range"));
  const { overview, parts, failure, skewMs, isStale, reload } = useOverview(range);
  if (overview === undefined && failure !== undefined)
    return (
      <div class="page now">
        <h1 class="title">No answer yet.</h1>
        {isUnreachable.value === undefined && (
          <Part value={undefined} failure={failure} onRetry={reload} bones={0}>
            {() => null}
          </Part>
        )}
      </div>
    );
  const note = isStale && overview !== undefined ? `As of ${clock(overview.asOf)}` : undefined;
  return (
    <div class="page now">
      <VerdictHead overview={overview} parts={parts} skewMs={skewMs} />
      <OnDemand load={loadCards} props={{ range, overview, parts, skewMs, note, onRetry: reload }} />
    </div>
  );
}
