import { useRef, useState } from "preact/hooks";
import type { Overview, Range } from "../../api/types.ts";
import { shortCaller } from "../../format/words.ts";
import { Card } from "../../parts/card.tsx";
import { Chart } from "../../parts/chart.tsx";
import { Part } from "../../parts/part.tsx";
import { ShareBars } from "../../parts/share-bars.tsx";
import { now } from "../../state/clock.ts";
import { href, place, setQuery } from "../../state/router.ts";
import { changeWords } from "../changes/change-words.ts";
import { CauseTable } from "./cause-table.tsx";
import { causeChart, type RankedCause, updateCauses } from "./causes.ts";
import { Rail } from "./rail.tsx";
import { overviewRange, RANGE_NAMES, RANGE_WORDS, STEP_WORDS } from "./ranges.ts";
import type { KeptParts } from "./use-overview.ts";
import { verdict } from "./verdict.ts";
import "../../style/now-cards.css";

/** What proves the verdict: the chart, the causes, who is hit, and the rail. */
export function NowCards({
  range,
  overview,
  parts,
  skewMs,
  note,
  onRetry,
}: {
  readonly range: Range;
  readonly overview: Overview | undefined;
  readonly parts: KeptParts;
  readonly skewMs: number;
  readonly note: string | undefined;
  readonly onRetry: () => void;
}) {
  const { shown, insert } = useShownCauses(overview, parts);
  const isEmpty = parts.classes.value?.incidents === 0;
  const hotChange = overview && verdict(overview, now.peek() + skewMs).change?.id;
  const common = { overview, parts, note, onRetry };
  return (
    <>
      <div class="lead">
        {!isEmpty && <CauseChart range={range} rows={shown.rows} {...common} />}
        <CauseTable
          shown={shown}
          onInsert={insert}
          {...(isEmpty && { rangeSwitch: <RangeSwitch range={range} /> })}
          {...common}
        />
        {!isEmpty && <WhoIsHit {...common} />}
      </div>
      <Rail parts={parts} skewMs={skewMs} hotChange={hotChange} note={note} onRetry={onRetry} />
    </>
  );
}

/** The causes of the list. Rows do not jump: what is new waits until it is asked for, or another range is chosen. */
function useShownCauses(overview: Overview | undefined, parts: KeptParts) {
  const items: readonly RankedCause[] = parts.classes.value?.items ?? [];
  const range = overview && overviewRange(overview);
  const kept = useRef<{ readonly range: Range | undefined; readonly rows: readonly RankedCause[] }>(undefined);
  const [, redraw] = useState(0);
  const before = kept.current?.range === range ? kept.current?.rows : undefined;
  const shown = updateCauses(items, before);
  kept.current = { range, rows: shown.rows };
  const insert = () => {
    kept.current = undefined;
    redraw((one) => one + 1);
  };
  return { shown, insert };
}

function CauseChart({
  range,
  overview,
  parts,
  rows,
  note,
  onRetry,
}: {
  readonly range: Range;
  readonly overview: Overview | undefined;
  readonly parts: KeptParts;
  readonly rows: readonly RankedCause[];
  readonly note: string | undefined;
  readonly onRetry: () => void;
}) {
  const { series, changes } = parts;
  const step = series.value?.step ?? overview?.step ?? "minute";
  const title = `Incidents ${STEP_WORDS[step]}`;
  const what = overview === undefined ? title : `${title} in ${RANGE_WORDS[overviewRange(overview)].last}, by cause`;
  const marks = (changes.value ?? [])
    .filter(({ kind, what: happened }) => kind !== "operator" && happened !== "half-opened")
    .map((one) => ({ at: one.at, label: changeWords(one).mark }));
  return (
    <Card
      id="over-time"
      class="plot"
      title={title}
      {...(note !== undefined && { note })}
      aside={<RangeSwitch range={range} />}
    >
      <Part {...series} bones={6} onRetry={onRetry}>
        {(value) => (
          <Chart
            what={what}
            data={{ since: value.since, step: value.step, rows: causeChart(rows, value), marks }}
            isTable={place.value.query.has("table")}
            onTable={(isTable) => setQuery({ table: isTable ? "1" : undefined }, { replace: true })}
          />
        )}
      </Part>
    </Card>
  );
}

function RangeSwitch({ range }: { readonly range: Range }) {
  return (
    <div class="seg" role="radiogroup" aria-label="Time">
      {RANGE_NAMES.map((name) => (
        <label key={name}>
          <input
            type="radio"
            name="range"
            checked={name === range}
            onChange={() => setQuery({ range: name === "1h" ? undefined : name }, { replace: false })}
          />
          <span>{RANGE_WORDS[name].button}</span>
        </label>
      ))}
    </div>
  );
}

function WhoIsHit({
  overview,
  parts: { hits },
  note,
  onRetry,
}: {
  readonly overview: Overview | undefined;
  readonly parts: KeptParts;
  readonly note: string | undefined;
  readonly onRetry: () => void;
}) {
  const range = overview && RANGE_WORDS[overviewRange(overview)].last;
  const words = range === undefined ? "" : `by incidents in ${range}`;
  return (
    <Card id="who" title="Who is hit" note={note === undefined ? words : `${words} · ${note}`}>
      <Part {...hits} bones={4} onRetry={onRetry}>
        {({ tenants, callers }) => (
          <div class="split">
            <div>
              <h3>Tenants</h3>
              <ShareBars
                items={tenants.map(({ group, count }) => ({
                  ...{ key: group, name: group, count },
                  to: href("incidents", { tenant: group, since: overview?.since }),
                }))}
              />
            </div>
            <div>
              <h3>Callers</h3>
              <ShareBars
                items={callers.map(({ group, count }) => ({
                  ...{ key: group, name: shortCaller(group), count },
                  to: href(`callers/${encodeURIComponent(group)}`),
                }))}
              />
            </div>
          </div>
        )}
      </Part>
    </Card>
  );
}
