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

/** A histogram of durations in seconds. */
export interface DurationMetric {
  /** Its name in OpenTelemetry; Prometheus sees `_` for `.`. */
  readonly name: string;
  readonly description: string;
  /** The upper bounds of its buckets, in ascending order. What took longer is in a last bucket. */
  readonly bounds: number[];
}

/** Series that may begin between two collections, as in the SDK. What is beyond them is counted together. */
const MAX_NEW_SERIES = 1_999;
const OVERFLOW: Attributes = { "otel.metric.overflow": true };

/** Durations with the same labels. */
interface Series {
  readonly labels: Attributes;
  startMs: number;
  readonly counts: number[];
  count: number;
  sum: number;
  min: number;
  max: number;
}

interface DurationsOptions {
  readonly metric: DurationMetric;
  readonly resource: Resource;
  /** The name of the meter. */
  readonly scope: string;
  /** What the reader wants: all since the start, or what came since its last collection. */
  readonly temporality: AggregationTemporality;
  readonly now: () => number;
}

/**
 * A histogram of durations for one reader of metrics. It gives what an instrument of the SDK gives, without making a digest of
 * the labels for every duration: durations with the same labels are expected to show the same object.
 */
export class Durations implements MetricProducer {
  readonly #options: DurationsOptions;
  /** Since the last collection. */
  #recent = new Map<Attributes, Series>();
  /** What the last collection gave, by what the labels say. */
  #given = new Map<string, Series>();
  #givenMs = 0;

  constructor(options: DurationsOptions) {
    this.#options = options;
  }

  /** Shows a series with the count 0, so that it is there before its first duration. */
  begin(labels: Attributes): void {
    if (!this.#recent.has(labels)) this.#begin(labels);
  }

  record(seconds: number, labels: Attributes): void {
    // Differences of times can be a little less than nothing. The SDK leaves them out.
    if (!(seconds >= 0)) return;
    const { bounds } = this.#options.metric;
    const series = this.#recent.get(labels) ?? this.#begin(labels);
    let bucket = 0;
    while (bucket < bounds.length && seconds > (bounds[bucket] ?? 0)) bucket += 1;
    series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
    series.count += 1;
    series.sum += seconds;
    if (seconds < series.min) series.min = seconds;
    if (seconds > series.max) series.max = seconds;
  }

  async collect(): Promise<CollectionResult> {
    const { resource, scope, temporality, now, metric } = this.#options;
    const { name, description, bounds } = metric;
    const nowMs = now();
    const isCumulative = temporality === AggregationTemporality.CUMULATIVE;
    const before = this.#given;
    const given = isCumulative ? before : new Map<string, Series>();
    for (const series of this.#recent.values()) {
      const key = labelsKey(series.labels);
      const known = given.get(key);
      // What goes on after a collection begins with it; what is new begins with its first duration.
      if (known === undefined && before.has(key)) series.startMs = this.#givenMs;
      if (known === undefined) given.set(key, series);
      else addDurations(known, series);
    }
    this.#recent = new Map();
    this.#given = given;
    this.#givenMs = nowMs;
    const dataPoints = [...given.values()].map((series) => toPoint(series, bounds, nowMs));
    const shown = {
      descriptor: { name, description, unit: "s", valueType: ValueType.DOUBLE },
      aggregationTemporality: temporality,
      dataPointType: DataPointType.HISTOGRAM as const,
      dataPoints,
    };
    const scopeMetrics = dataPoints.length === 0 ? [] : [{ scope: { name: scope }, metrics: [shown] }];
    return { resourceMetrics: { resource, scopeMetrics }, errors: [] };
  }

  #begin(labels: Attributes): Series {
    const isFull = this.#recent.size >= MAX_NEW_SERIES;
    const known = isFull ? this.#recent.get(OVERFLOW) : undefined;
    if (known !== undefined) return known;
    const series: Series = {
      labels: isFull ? OVERFLOW : labels,
      startMs: this.#options.now(),
      counts: Array<number>(this.#options.metric.bounds.length + 1).fill(0),
      count: 0,
      sum: 0,
      min: Number.POSITIVE_INFINITY,
      max: Number.NEGATIVE_INFINITY,
    };
    this.#recent.set(series.labels, series);
    return series;
  }
}

function addDurations(total: Series, more: Series): void {
  for (const [bucket, count] of more.counts.entries()) total.counts[bucket] = (total.counts[bucket] ?? 0) + count;
  total.count += more.count;
  total.sum += more.sum;
  total.min = Math.min(total.min, more.min);
  total.max = Math.max(total.max, more.max);
}

/** A copy: it is sent while calls go on. */
function toPoint(series: Series, bounds: number[], nowMs: number): DataPoint<Histogram> {
  const { labels, startMs, counts, count, sum, min, max } = series;
  return {
    attributes: labels,
    startTime: toHrTime(startMs),
    endTime: toHrTime(nowMs),
    // JSON has no infinity.
    value: { ...(count > 0 && { min, max }), sum, count, buckets: { boundaries: bounds, counts: [...counts] } },
  };
}

/** One text for all objects that say the same. */
function labelsKey(labels: Attributes): string {
  return JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A time in ms since 1970, as OpenTelemetry writes it. */
export function toHrTime(ms: number): HrTime {
  return [Math.trunc(ms / 1_000), Math.round((ms % 1_000) * 1_000_000)];
}
