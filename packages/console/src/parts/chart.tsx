import "../style/chart.css";
import { useEffect, useRef, useState } from "preact/hooks";
import { showHidden } from "../format/foreign.ts";
import { count } from "../format/numbers.ts";
import { zoneName } from "../format/time.ts";
import { settings } from "../state/settings.ts";
import { type ChartColour, type ChartData, chartLength, chartSentence, stepLabel, stepTimes } from "./chart-data.ts";
import type { Plot, Pointed } from "./chart-plot.ts";

/** Stacked bars over time: drawn after the first paint, in a box of fixed height, with the same numbers as a table. */
export function Chart({
  data,
  what,
  height = 188,
  isTable,
  onTable,
}: {
  readonly data: ChartData;
  /** What is counted, such as "Incidents a minute in the last hour, by cause". */
  readonly what: string;
  /** @default 188 */
  readonly height?: number;
  /** Whether the numbers are shown as a table; undefined: the chart keeps it itself. */
  readonly isTable?: boolean;
  readonly onTable?: (isTable: boolean) => void;
}) {
  const [own, setOwn] = useState(false);
  const isShown = isTable ?? own;
  const [pointed, setPointed] = useState<Pointed>();
  const box = useRef<HTMLDivElement>(null);
  usePlot(box, { data, height, onPoint: setPointed });
  return (
    <div class="chart-part">
      <div class="chart-box">
        <div
          class="chart"
          ref={box}
          style={{ height: `${height}px` }}
          role="img"
          aria-label={chartSentence({ what, data })}
        />
        {pointed !== undefined && <Tip data={data} pointed={pointed} />}
      </div>
      <button
        type="button"
        class="quiet chart-switch"
        aria-expanded={isShown}
        onClick={() => (onTable ?? setOwn)(!isShown)}
      >
        {isShown ? "Hide the table" : "Show as a table"}
      </button>
      {isShown && <Numbers data={data} what={what} />}
    </div>
  );
}

/** Draws, and draws again when the numbers, the box, the theme or the zone change. */
function usePlot(
  box: { readonly current: HTMLDivElement | null },
  {
    data,
    height,
    onPoint,
  }: { readonly data: ChartData; readonly height: number; readonly onPoint: (pointed?: Pointed) => void },
): void {
  const plot = useRef<Plot>(undefined);
  const latest = useRef(data);
  latest.current = data;
  const { theme, zone } = settings.value;
  const [scheme, setScheme] = useState(0);
  // Rows with other colours, or other steps, need another plot. Other numbers do not.
  const form = `${data.step} ${chartLength(data)} ${data.rows.map(({ colour }) => colour).join(" ")}`;
  useEffect(() => {
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const redraw = () => setScheme((one) => one + 1);
    dark.addEventListener("change", redraw);
    return () => dark.removeEventListener("change", redraw);
  }, []);
  useEffect(() => {
    const { current: target } = box;
    let isGone = false;
    let resizing: ResizeObserver | undefined;
    void import("./chart-plot.ts").then(
      ({ drawPlot }) => {
        if (isGone || target === null) return;
        target.replaceChildren();
        plot.current = drawPlot(target, { data: latest.current, width: target.clientWidth, height, onPoint });
        let wide = target.clientWidth;
        resizing = new ResizeObserver(() => {
          if (target.clientWidth === wide || target.clientWidth === 0) return;
          wide = target.clientWidth;
          plot.current?.resize(wide);
        });
        resizing.observe(target);
      },
      // The shell says that the gateway was upgraded. The table has the numbers meanwhile.
      () => {},
    );
    return () => {
      isGone = true;
      resizing?.disconnect();
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [form, height, theme, zone, scheme]);
  useEffect(() => plot.current?.update(data), [data]);
}

/** The numbers of the step under the pointer. The table has the same numbers for users without a pointer. */
function Tip({ data, pointed }: { readonly data: ChartData; readonly pointed: Pointed }) {
  const at = stepTimes(data)[pointed.index];
  if (at === undefined) return null;
  const rows = data.rows.filter(({ counts }) => (counts[pointed.index] ?? 0) > 0).toReversed();
  // The axis takes 34 px at the left; a tip at the right end opens to the left.
  const isLate = pointed.index > chartLength(data) / 2;
  const left = pointed.left + 34;
  return (
    <div
      class="chart-tip"
      aria-hidden="true"
      style={{ left: `${left}px`, transform: isLate ? "translateX(calc(-100% - 12px))" : "translateX(12px)" }}
    >
      <b>{stepLabel(at, { step: data.step, isLong: true })}</b>
      {rows.length === 0 && <span>none</span>}
      {rows.map(({ name, colour, counts }) => (
        <span key={name}>
          <Swatch colour={colour} />
          <bdi>{showHidden(name)}</bdi>
          <i>{count(counts[pointed.index] ?? 0)}</i>
        </span>
      ))}
    </div>
  );
}

/** The square of a ranked cause. */
export function Swatch({ colour }: { readonly colour: ChartColour }) {
  return <span class={`swatch ${colour}`} aria-hidden="true" />;
}

function Numbers({ data, what }: { readonly data: ChartData; readonly what: string }) {
  const times = stepTimes(data);
  return (
    // A region that scrolls can be reached by the keyboard.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
    <section class="chart-numbers" tabIndex={0} aria-label={`${what}, as a table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">Time, {zoneName()}</th>
            {data.rows.map(({ name, colour }) => (
              <th key={name} scope="col" class="num">
                <Swatch colour={colour} /> {showHidden(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times
            .map((seconds, index) => (
              <tr key={seconds}>
                <th scope="row">{stepLabel(seconds, { step: data.step, isLong: data.step === "hour" })}</th>
                {data.rows.map(({ name, counts }) => (
                  <td key={name} class="num">
                    {count(counts[index] ?? 0)}
                  </td>
                ))}
              </tr>
            ))
            .toReversed()}
        </tbody>
      </table>
    </section>
  );
}
