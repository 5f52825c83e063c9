import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import type { Overview } from "../../api/types.ts";
import { showHidden } from "../../format/foreign.ts";
import { count, withNoun } from "../../format/numbers.ts";
import { Card } from "../../parts/card.tsx";
import { Swatch } from "../../parts/chart.tsx";
import type { ChartColour } from "../../parts/chart-data.ts";
import { Spark } from "../../parts/chart-spark.tsx";
import { Effect } from "../../parts/effect.tsx";
import { Icon } from "../../parts/icon.tsx";
import { NewRows } from "../../parts/new-rows.tsx";
import { Part } from "../../parts/part.tsx";
import { When } from "../../parts/when.tsx";
import { href, place, setQuery } from "../../state/router.ts";
import { useShortcuts } from "../../state/shortcuts.ts";
import {
  CAUSE_ORDERS,
  type CauseOrder,
  causeColours,
  causeOrder,
  type RankedCause,
  type ShownCauses,
} from "./causes.ts";
import { EmptyCauses } from "./empty-causes.tsx";
import { overviewRange, RANGE_WORDS } from "./ranges.ts";
import type { KeptParts } from "./use-overview.ts";
import { isNew } from "./verdict.ts";

/** The causes, ranked. The list is the legend of the chart. */
export function CauseTable({
  overview,
  parts,
  shown,
  onInsert,
  onRetry,
  note,
  rangeSwitch,
}: {
  readonly overview: Overview | undefined;
  readonly parts: KeptParts;
  readonly shown: ShownCauses;
  /** Shows the causes that wait. */
  readonly onInsert: () => void;
  readonly onRetry: () => void;
  /** As of when, if the answer is old. */
  readonly note: string | undefined;
  /** The choice of the time, if there is no chart above that has it. */
  readonly rangeSwitch?: ComponentChildren;
}) {
  const body = useRef<HTMLTableSectionElement>(null);
  const step = (by: number) => () => moveFocus(body.current, by);
  useShortcuts({ j: step(1), k: step(-1), ".": shown.waiting > 0 ? onInsert : undefined });
  const { classes } = parts;
  const range = overview === undefined ? "1h" : overviewRange(overview);
  const all = classes.value;
  const isEmpty = all?.incidents === 0;
  const order = causeOrder(place.value.query.get("sort"));
  const query = { since: overview?.since };
  return (
    <Card
      id="causes"
      class="causes"
      title="Causes"
      note={
        all !== undefined &&
        !isEmpty && (
          <>
            {withNoun(all.incidents, "incident")}, {withNoun(all.classes, "cause")}, <Order order={order} />
            {note !== undefined && ` · ${note}`}
          </>
        )
      }
      aside={
        rangeSwitch ?? (
          <a class="all" href={href("incidents", query)}>
            All incidents
            <Icon name="arrow" size={14} />
          </a>
        )
      }
    >
      <Part value={classes.value} asOf={classes.asOf} failure={classes.failure} onRetry={onRetry} bones={6}>
        {({ last }) =>
          isEmpty ? (
            <EmptyCauses range={range} last={last} />
          ) : (
            <>
              {shown.waiting > 0 && <NewRows words={`${count(shown.waiting)} new`} onInsert={onInsert} />}
              <table>
                <thead>
                  <tr>
                    <th scope="col" {...sortOf(order, "first")}>
                      Cause
                    </th>
                    <th scope="col" class="w-effect">
                      Effect
                    </th>
                    <th scope="col" class="w-spark">
                      {RANGE_WORDS[range].head}
                    </th>
                    <th scope="col" class="num" {...sortOf(order, "count")}>
                      Incidents
                    </th>
                    <th scope="col" class="num w-callers">
                      Callers
                    </th>
                    <th scope="col" class="num w-last" {...sortOf(order, "last")}>
                      Last
                    </th>
                  </tr>
                </thead>
                <tbody ref={body}>
                  <Rows overview={overview} parts={parts} rows={shown.rows} order={order} />
                </tbody>
              </table>
              <footer>
                <Effect value="none" />
                <Effect value="possible" />
                <Effect value="applied" />
              </footer>
            </>
          )
        }
      </Part>
    </Card>
  );
}

function Rows({
  overview,
  parts,
  rows,
  order,
}: {
  readonly overview: Overview | undefined;
  readonly parts: KeptParts;
  readonly rows: readonly RankedCause[];
  readonly order: CauseOrder;
}) {
  const series = parts.series.value;
  const colours = causeColours(rows, series);
  const sorted = order === "count" ? rows : rows.toSorted(CAUSE_ORDERS[order].compare);
  return sorted.map((cause) => (
    <CauseRow
      key={cause.fingerprint}
      cause={cause}
      colour={colours.get(cause.fingerprint) ?? "c0"}
      counts={series?.groups.find(({ group }) => group === cause.fingerprint)?.counts}
      isFirstSeen={overview !== undefined && isNew(cause, overview)}
    />
  ));
}

function CauseRow({
  cause,
  colour,
  counts,
  isFirstSeen,
}: {
  readonly cause: RankedCause;
  readonly colour: ChartColour;
  readonly counts: readonly number[] | undefined;
  readonly isFirstSeen: boolean;
}) {
  return (
    <tr>
      <th scope="row">
        <div class="cause">
          <Swatch colour={colour} />
          <div>
            <a href={href(`c/${cause.fingerprint}`)}>
              <b>{showHidden(cause.title || cause.reason)}</b>
            </a>
            {isFirstSeen && <span class="tag new">new</span>}
            {cause.severity === "critical" && <span class="tag crit">critical</span>}
            <span class="sub" dir="auto">
              {cause.tool !== undefined && <code>{showHidden(cause.tool)}</code>} {showHidden(cause.message)}
            </span>
          </div>
        </div>
      </th>
      <td class="w-effect">{cause.effect !== undefined && <Effect value={cause.effect} isShort />}</td>
      <td class="w-spark">{counts !== undefined && <Spark counts={counts} colour={colour} />}</td>
      <td class="num big">
        {count(cause.count)}
        <span class="unit"> {cause.count === 1 ? "incident" : "incidents"}</span>
      </td>
      <td class="num w-callers">{cause.callers !== undefined && count(cause.callers)}</td>
      <td class="num w-last">
        <When at={cause.lastSeen} />
      </td>
    </tr>
  );
}

/** The order of the list, in the address. */
function Order({ order }: { readonly order: CauseOrder }) {
  return (
    <select
      class="order"
      aria-label="Order of the causes"
      value={order}
      onChange={({ currentTarget: { value } }) =>
        setQuery({ sort: value === "count" ? undefined : value }, { replace: true })
      }
    >
      {Object.entries(CAUSE_ORDERS).map(([name, { words }]) => (
        <option key={name} value={name}>
          {words}
        </option>
      ))}
    </select>
  );
}

function sortOf(order: CauseOrder, column: CauseOrder): { readonly "aria-sort"?: "descending" } {
  return order === column ? { "aria-sort": "descending" } : {};
}

/** Moves the focus to the next or previous cause. */
function moveFocus(body: HTMLElement | null, by: number): void {
  const links = [...(body?.querySelectorAll<HTMLAnchorElement>("th a") ?? [])];
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  links[at === -1 ? (by > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
}
