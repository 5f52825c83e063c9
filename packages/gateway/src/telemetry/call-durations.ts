import { type Attributes, type HrTime, ValueType } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricProducer,
} from "@opentelemetry/sdk-metrics";
import { DURATION_BOUNDS } from "../counts/counts.ts";

const DESCRIPTOR = {
  name: "mcp.server.operation.duration",
  description: "How long requests took, as the gateway saw it.",
  unit: "s",
  valueType: ValueType.DOUBLE,
};

/** Series that may begin between two collections, as in the SDK. Calls of others are counted together. */
const MAX_NEW_SERIES = 1_999;
const OVERFLOW: Attributes = { "otel.metric.overflow": true };

/** Calls with the same labels. */
interface Series {
  readonly labels: Attributes;
  startMs: number;
  readonly counts: number[];
  count: number;
  sum: number;
  min: number;
  max: number;
}

/** What `CallDurations` needs. */
interface CallDurationsOptions {
  readonly resource: Resource;
  /** The name of the meter. */
  readonly scope: string;
  /** What the reader wants: all since the start, or what came since its last collection. */
  readonly temporality: AggregationTemporality;
  /** Clock, in ms since 1970. */
  readonly now: () => number;
}

/**
 * The histogram of durations for one reader of metrics. It gives what an instrument of the SDK gives, without making a digest
 * of the labels for every call: calls with the same labels are expected to show the same object.
 */
export class CallDurations implements MetricProducer {
  readonly #options: CallDurationsOptions;
  /** Since the last collection. */
  #recent = new Map<Attributes, Series>();
  /** What the last collection gave, by what the labels say. */
  #given = new Map<string, Series>();
  #givenMs = 0;

  constructor(options: CallDurationsOptions) {
    this.#options = options;
  }

  record(seconds: number, labels: Attributes): void {
    // Differences of times can be a little less than nothing. The SDK leaves them out.
    if (!(seconds >= 0)) return;
    const series = this.#recent.get(labels) ?? this.#begin(labels);
    let bucket = 0;
    while (bucket < DURATION_BOUNDS.length && seconds > (DURATION_BOUNDS[bucket] ?? 0)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.count += 1;
    series.sum += seconds;
    if (seconds < series.min) series.min = seconds;
    if (seconds > series.max) series.max = seconds;
  }

  async collect(): Promise<CollectionResult> {
    const { resource, scope, temporality, now } = this.#options;
    const nowMs = now();
    const isCumulative = temporality === AggregationTemporality.CUMULATIVE;
    const before = this.#given;
    const given = isCumulative ? before : new Map<string, Series>();
    for (const series of this.#recent.values()) {
      const key = labelsKey(series.labels);
      const known = given.get(key);
      // What goes on after a collection begins with it; what is new begins with its first call.
      if (known === undefined && before.has(key)) series.startMs = this.#givenMs;
      if (known === undefined) given.set(key, series);
      else addCalls(known, series);
    }
    this.#recent = new Map();
    this.#given = given;
    this.#givenMs = nowMs;
    const dataPoints = [...given.values()].map((series) => toPoint(series, nowMs));
    const metric = {
      descriptor: DESCRIPTOR,
      aggregationTemporality: temporality,
      dataPointType: DataPointType.HISTOGRAM as const,
      dataPoints,
    };
    const scopeMetrics = dataPoints.length === 0 ? [] : [{ scope: { name: scope }, metrics: [metric] }];
    return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
  }

  #begin(labels: Attributes): Series {
    const isFull = this.#recent.size >= MAX_NEW_SERIES;
    const known = isFull ? this.#recent.get(OVERFLOW) : undefined;
    if (known !== undefined) return known;
    const series: Series = {
      labels: isFull ? OVERFLOW : labels,
      startMs: this.#options.now(),
      counts: Array<number>(DURATION_BOUNDS.length + 1).fill(0),
      count: 0,
      sum: 0,
      min: Number.POSITIVE_INFINITY,
      max: Number.NEGATIVE_INFINITY,
    };
    this.#recent.set(series.labels, series);
    return series;
  }
}

function addCalls(total: Series, more: Series): void {
  for (const [bucket, count] of more.counts.entries()) total.counts[bucket] = (total.counts[bucket] ?? 0) + count;
  total.count += more.count;
  total.sum += more.sum;
  total.min = Math.min(total.min, more.min);
  total.max = Math.max(total.max, more.max);
}

/** A copy: it is sent while calls go on. */
function toPoint({ labels, startMs, counts, count, sum, min, max }: Series, nowMs: number): DataPoint<Histogram> {
  return {
    attributes: labels,
    startTime: toHrTime(startMs),
    endTime: toHrTime(nowMs),
    value: { min, max, sum, count, buckets: { boundaries: DURATION_BOUNDS, counts: [...counts] } },
  };
}

/** One text for all objects that say the same. */
function labelsKey(labels: Attributes): string {
  return JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function toHrTime(ms: number): HrTime {
  return [Math.trunc(ms / 1_000), Math.round((ms % 1_000) * 1_000_000)];
}
