import { type HrTime, ValueType } from "@opentelemetry/api";
import type { Resource } from "@opentelemetry/resources";
import {
  AggregationTemporality,
  type CollectionResult,
  DataPointType,
  type MetricData,
  type MetricProducer,
} from "@opentelemetry/sdk-metrics";
import type { Attributes } from "@recourse/core/telemetry";
import { race, sleep } from "@recourse/core/wire";
import type { GatewayState } from "../call/observer.ts";
import { toHrTime } from "./durations.ts";

type Point = readonly [value: number, labels?: Attributes];

interface StateReading {
  readonly state: GatewayState;
  /** Undefined if their store has not answered yet. */
  readonly approvals: Awaited<ReturnType<GatewayState["approvals"]>> | undefined;
}

interface StateMetric {
  readonly type: "gauge" | "counter";
  readonly description: string;
  /** @default a number of something */
  readonly unit?: string;
  readonly read: (reading: StateReading) => readonly Point[];
}

/** The values of the gauge of breakers. */
const BREAKER_STATES = { closed: 0, "half-open": 1, open: 2 } as const;
const LIST_STATES = ["current", "kept", "never"] as const;

/** Each by its name in OpenTelemetry. Upstreams are those of the configuration in use, whatever breakers remember. */
const STATE_METRICS: Readonly<Record<string, StateMetric>> = {
  "recourse.build_info": {
    type: "gauge",
    description: "1 for the version that runs.",
    read: ({ state }) => [[1, { version: state.version }]],
  },
  "recourse.config.reload": {
    type: "counter",
    description: "Changed configurations since the start, by what became of them.",
    read({ state }) {
      const { taken, refused } = state.reloads();
      return [
        [taken, { outcome: "taken" }],
        [refused, { outcome: "refused" }],
      ];
    },
  },
  "recourse.config.age_seconds": {
    type: "gauge",
    description: "How long the configuration has been in use.",
    unit: "s",
    read: ({ state }) => [[state.reloads().ageMs / 1_000]],
  },
  "recourse.breaker.state": {
    type: "gauge",
    description: "The circuit breaker of an upstream, as this process knows it: 0 closed, 1 half-open, 2 open.",
    read({ state }) {
      const breakers = state.breakers()?.filter(({ tool }) => tool === undefined);
      if (breakers === undefined) return [];
      const states = new Map(breakers.map((one) => [one.upstream, one.state]));
      return state
        .upstreams()
        .map(({ upstream }) => [BREAKER_STATES[states.get(upstream) ?? "closed"], { "recourse.upstream": upstream }]);
    },
  },
  "recourse.tool_breakers.open": {
    type: "gauge",
    description: "How many tools of an upstream are held back by breakers of their own.",
    read({ state }) {
      const held = state.breakers()?.filter((one) => one.tool !== undefined && one.state !== "closed");
      if (held === undefined) return [];
      const counts = new Map<string, number>();
      for (const { upstream } of held) counts.set(upstream, (counts.get(upstream) ?? 0) + 1);
      return state.upstreams().map(({ upstream }) => [counts.get(upstream) ?? 0, { "recourse.upstream": upstream }]);
    },
  },
  "recourse.upstream.listed": {
    type: "gauge",
    description: "1 for the state of the lists of an upstream: current, kept (it is down, its last lists stay), never.",
    read: ({ state }) =>
      state
        .upstreams()
        .flatMap(({ upstream, listed }) =>
          LIST_STATES.map((one): Point => [one === listed ? 1 : 0, { "recourse.upstream": upstream, state: one }]),
        ),
  },
  "recourse.incidents.waiting": {
    type: "gauge",
    description: "Incidents that wait to be written.",
    read: ({ state }) => [[state.incidents().waiting]],
  },
  "recourse.incidents.dropped": {
    type: "counter",
    description: "Incidents that were counted but not kept, and samples of incidents that were kept without them.",
    read({ state }) {
      const { dropped, droppedSamples } = state.incidents();
      return [
        [dropped, { what: "incident" }],
        [droppedSamples, { what: "sample" }],
      ];
    },
  },
  "recourse.approvals.pending": {
    type: "gauge",
    description: "Approvals that wait for a decision, at all replicas together.",
    read: ({ approvals }) => (approvals === undefined ? [] : [[approvals.count]]),
  },
  "recourse.approvals.oldest_seconds": {
    type: "gauge",
    description: "How long the oldest approval has been waiting for a decision; 0 if there is none.",
    unit: "s",
    read: ({ approvals }) => (approvals === undefined ? [] : [[approvals.oldestMs / 1_000]]),
  },
  "recourse.idempotency": {
    type: "counter",
    description: "Calls with an idempotency key, by what came of the key.",
    read: ({ state }) => Object.entries(state.keys() ?? {}).map(([outcome, count]) => [count, { outcome }]),
  },
};

interface StateMetricsOptions {
  readonly resource: Resource;
  /** The name of the meter. */
  readonly scope: string;
  readonly now: () => number;
  readonly monotonic: () => number;
}

/**
 * Shows the state of a gateway. All of it is read at each collection, so calls pay nothing for it, and what no longer exists is
 * shown no more: instruments of the SDK would repeat the last value of an upstream that a reload has removed.
 */
export class StateMetrics implements MetricProducer {
  readonly #options: StateMetricsOptions;
  readonly #startTime: HrTime;
  #state: GatewayState | undefined;
  #approvals: LastAnswer<Awaited<ReturnType<GatewayState["approvals"]>>> | undefined;

  constructor(options: StateMetricsOptions) {
    this.#options = options;
    this.#startTime = toHrTime(options.now());
  }

  /** From now on there is something to show. */
  attach(state: GatewayState): void {
    this.#state = state;
    this.#approvals = new LastAnswer(() => state.approvals(), this.#options.monotonic);
  }

  async collect(): Promise<CollectionResult> {
    const { resource, scope, now } = this.#options;
    const state = this.#state;
    if (state === undefined) return { resourceMetrics: { resource, scopeMetrics: [] }, errors: [] };
    const reading = { state, approvals: await this.#approvals?.get() };
    const times = { startTime: this.#startTime, endTime: toHrTime(now()) };
    const errors: unknown[] = [];
    const metrics = Object.entries(STATE_METRICS).flatMap(([name, metric]) => {
      try {
        const points = metric.read(reading);
        return points.length === 0 ? [] : [toData(name, metric, points, times)];
      } catch (error) {
        // One that cannot be read must not hide the others.
        errors.push(error);
        return [];
      }
    });
    return { resourceMetrics: { resource, scopeMetrics: [{ scope: { name: scope }, metrics }] }, errors };
  }
}

function toData(
  name: string,
  { type, description, unit = "" }: StateMetric,
  points: readonly Point[],
  times: { readonly startTime: HrTime; readonly endTime: HrTime },
): MetricData {
  const common = {
    descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPoints: points.map(([value, attributes = {}]) => ({ ...times, value, attributes })),
  };
  return type === "gauge"
    ? { ...common, dataPointType: DataPointType.GAUGE }
    : { ...common, dataPointType: DataPointType.SUM, isMonotonic: true };
}

/** An answer is good for this time, however often metrics are collected. */
const FRESH_MS = 5_000;
/** A collection waits no longer than this for a store. */
const COLLECT_WAIT_MS = 500;

/** The last answer of a store that can be slow or down. It is asked once at a time, and the last answer stays until the next. */
class LastAnswer<T> {
  readonly #ask: () => Promise<T>;
  readonly #now: () => number;
  #last: T | undefined;
  #lastMs = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(ask: () => Promise<T>, now: () => number) {
    this.#ask = ask;
    this.#now = now;
  }

  /** Undefined if there was no answer yet. It never rejects. */
  async get(): Promise<T | undefined> {
    if (this.#now() - this.#lastMs < FRESH_MS) return this.#last;
    this.#asking ??= this.#refresh().finally(() => {
      this.#asking = undefined;
    });
    await race(this.#asking, { ms: COLLECT_WAIT_MS, sleep });
    return this.#last;
  }

  async #refresh(): Promise<void> {
    try {
      this.#last = await this.#ask();
      this.#lastMs = this.#now();
    } catch {
      // The store itself reports that it is down.
    }
  }
}
