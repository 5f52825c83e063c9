// Draws stacked bars with uPlot. Loaded after the first paint: nothing else imports uPlot.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { settings } from "../state/settings.ts";
import { type ChartData, chartLength, stackRows, stepLabel, stepSeconds, stepTimes } from "./chart-data.ts";

/** The height of a lane for a label of a change. */
const LANE = 15;
const MAX_LANES = 4;
const TOP = 8;

/** A chart that is drawn. */
export interface Plot {
  /** Shows other numbers. */
  update(data: ChartData): void;
  resize(width: number): void;
  destroy(): void;
}

/** Where the pointer is: a step, and its place in the box. */
export interface Pointed {
  readonly index: number;
  readonly left: number;
  readonly top: number;
}

/** Draws into an element. Colours are read from the style sheet now, so another theme needs another plot. */
export function drawPlot(
  target: HTMLElement,
  {
    data: first,
    width,
    height,
    onPoint,
  }: {
    readonly data: ChartData;
    readonly width: number;
    readonly height: number;
    /** The pointer has moved; undefined: it has left. */
    readonly onPoint: (pointed: Pointed | undefined) => void;
  },
): Plot {
  let data = first;
  const style = getComputedStyle(document.documentElement);
  const read = (name: string) => style.getPropertyValue(name).trim();
  const font = `11px ${read("--sans")}`;
  const axis = {
    stroke: read("--text3"),
    font,
    grid: { stroke: read("--line"), width: 1 },
    ticks: { show: false },
  } satisfies uPlot.Axis;
  const bars = uPlot.paths.bars?.({ size: [0.78, 18], radius: 0.12 });
  const half = () => stepSeconds(data.step) / 2;
  const isLong = () => chartLength(data) * stepSeconds(data.step) > 2 * 86_400;
  const plot = new uPlot(
    {
      ...{ width, height },
      padding: [() => TOP + LANE * shownMarks(data).length, 4, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      tzDate: (seconds) => zonedDate(seconds),
      scales: {
        x: { time: true, range: (_, from, to) => [from - half(), to + half()] },
        y: { range: (_, __, highest) => [0, Math.max(4, highest * 1.12)] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          ...{ space: 80, size: 26 },
          values: (_, values) => values.map((seconds) => stepLabel(seconds, { step: isLong() ? "day" : data.step })),
        },
        {
          ...axis,
          ...{ size: 34, space: 36 },
          values: (_, values) => values.map((value) => (Number.isInteger(value) ? shortCount(value) : "")),
        },
      ],
      series: [
        {},
        // The tallest is drawn first, and the lower ones over it.
        ...data.rows.toReversed().map(({ colour }) => ({
          ...(bars && { paths: bars }),
          ...{ fill: read(`--${colour}`), stroke: read("--surface"), width: 0.75, points: { show: false } },
        })),
      ],
      hooks: {
        draw: [
          (self) =>
            drawMarks(self, shownMarks(data), {
              line: read("--text3"),
              text: read("--text2"),
              back: read("--surface"),
              sans: read("--sans"),
            }),
        ],
        setCursor: [
          ({ cursor }) => {
            const { idx, left = -1, top = 0 } = cursor;
            onPoint(idx === null || idx === undefined || left < 0 ? undefined : { index: idx, left, top });
          },
        ],
      },
    },
    columns(data),
    target,
  );
  return {
    update(next) {
      data = next;
      plot.setData(columns(next));
    },
    resize: (wide) => plot.setSize({ width: wide, height }),
    destroy: () => plot.destroy(),
  };
}

function columns(data: ChartData): uPlot.AlignedData {
  return [stepTimes(data), ...stackRows(data.rows).toReversed()];
}

/** The marks inside the time of the chart, the oldest first: the newest few, so that labels have room. */
function shownMarks(data: ChartData): { readonly seconds: number; readonly label: string }[] {
  const from = Date.parse(data.since) / 1_000;
  const to = from + chartLength(data) * stepSeconds(data.step);
  return (data.marks ?? [])
    .map(({ at, label }) => ({ seconds: Date.parse(at) / 1_000, label }))
    .filter(({ seconds }) => seconds >= from && seconds <= to)
    .toSorted((one, other) => one.seconds - other.seconds)
    .slice(-MAX_LANES);
}

/** Dashed lines, each with its label in a lane of its own above the bars. */
function drawMarks(
  { ctx, bbox, valToPos }: uPlot,
  marks: readonly { readonly seconds: number; readonly label: string }[],
  colours: { readonly line: string; readonly text: string; readonly back: string; readonly sans: string },
): void {
  const ratio = devicePixelRatio;
  // A bar is centred on the start of its step; so is the line of a moment.
  const placed = marks.map(({ seconds, label }, lane) => ({
    label,
    x: Math.round(Math.min(bbox.left + bbox.width, Math.max(bbox.left, valToPos(seconds, "x", true)))) + 0.5,
    y: bbox.top - (LANE * (marks.length - lane) - 2) * ratio,
  }));
  ctx.save();
  ctx.strokeStyle = colours.line;
  ctx.lineWidth = ratio;
  ctx.setLineDash([2 * ratio, 3 * ratio]);
  for (const { x, y } of placed) {
    ctx.beginPath();
    ctx.moveTo(x, y);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.setLineDash([]);
  ctx.font = `500 ${11 * ratio}px ${colours.sans}`;
  ctx.textBaseline = "top";
  ctx.textAlign = "left";
  for (const { label, x, y } of placed) {
    const wide = ctx.measureText(label).width;
    const left = x - wide - 6 * ratio > 0 ? x - wide - 6 * ratio : x + 6 * ratio;
    ctx.fillStyle = colours.back;
    ctx.fillRect(left - 3 * ratio, y - 2 * ratio, wide + 6 * ratio, 14 * ratio);
    ctx.fillStyle = colours.text;
    ctx.fillText(label, left, y);
  }
  ctx.restore();
}

function zonedDate(seconds: number): Date {
  const date = new Date(seconds * 1_000);
  return settings.value.zone === "utc" ? uPlot.tzDate(date, "Etc/UTC") : date;
}

function shortCount(value: number): string {
  if (value >= 1_000_000) return `${value / 1_000_000} M`;
  return value >= 10_000 ? `${value / 1_000} k` : String(value);
}
