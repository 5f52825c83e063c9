import { resourceFromAttributes } from "@opentelemetry/resources";
import { type Incident, loggerSink } from "@recourse/core/server";
import { parseJson, race, sleep } from "@recourse/core/wire";
import { guardedSink, type Observer, runGuarded } from "../call/observer.ts";
import type { GatewayConfig, IncidentsConfig } from "../config/types.ts";
import { type GatewayIncident, MINUTE_MS } from "../incidents/incidents.ts";
import { readCauses, storedCaller } from "../incidents/sample.ts";
import { startLogs, type WriteLine } from "./logs.ts";
import { startMetrics } from "./metrics.ts";
import { PASSING_TRACES, startTraces } from "./traces.ts";

/** How many exceptions of a minute get a line. A caller may cause them; all are counted. */
const UNEXPECTED_LINES = 60;
/** Sending what is left may take this long when the gateway stops. */
const EXPORT_CLOSE_MS = 2_000;

interface ObserverOptions {
  /** Receives the lines of the log. @default standard error */
  readonly writeLine?: WriteLine;
  /** Monotonic clock, in ms. @default `performance.now` */
  readonly now?: () => number;
}

/** Starts metrics, traces and the log of a gateway. */
export function createObserver(
  config: GatewayConfig,
  { writeLine, now = () => performance.now() }: ObserverOptions = {},
): Observer {
  const { telemetry, name } = config;
  const resource = resourceFromAttributes({ "service.name": name });
  const metrics = startMetrics(config, resource);
  const traces = telemetry.otlp === undefined ? PASSING_TRACES : startTraces(telemetry.otlp, resource);
  const logs = startLogs(config, resource, writeLine);
  const log = loggerSink(logs.logger);
  let windowMs = Number.NEGATIVE_INFINITY;
  let written = 0;
  return guardedObserver({
    began: () => metrics.began(),
    traceparent: (call) => traces.next(call),
    ended(call, fault) {
      metrics.ended(call, fault, now() - call.startedMs - call.waitedMs);
      traces.ended(call, fault);
    },
    switched(control, state, answer) {
      metrics.switched(control, state);
      logs.log(state === "away" ? "warn" : "info", `${control} ${state}`, { control, state, answer });
    },
    breaker({ upstream, tool }, state) {
      const level = { closed: "info", open: "warn", "half-open": "debug" } as const;
      logs.log(level[state], `breaker ${state}`, { upstream, ...(tool !== undefined && { tool }), state });
    },
    tokenRequested: (upstream, outcome) => metrics.tokenRequested(upstream, outcome),
    storeAnswered: (store, op, durationMs) => metrics.storeAnswered(store, op, durationMs),
    attach: (state) => metrics.attach(state),
    log: (level, message, facts = {}) => logs.log(level, message, facts),
    unexpected(error, where) {
      metrics.unexpected(where);
      if (now() - windowMs >= MINUTE_MS) {
        windowMs = now();
        written = 0;
      }
      written += 1;
      if (written > UNEXPECTED_LINES) return;
      const causes = readCauses({ cause: error });
      logs.log("error", "Unexpected exception; the process keeps running.", { where, causes });
    },
    sink: (incident) => log(withCaller(incident, config.incidents)),
    metrics: () => metrics.text(),
    async close() {
      const closing = Promise.allSettled([metrics.close(), traces.close(), logs.close()]);
      await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, EXPORT_CLOSE_MS).unref())]);
    },
  });
}

/** The log names callers only as the store of incidents does. An id that is JSON is written as such, not as a text. */
function withCaller(incident: Incident, { callers }: IncidentsConfig): Incident {
  const { caller, ...rest } = incident as GatewayIncident;
  const kept = storedCaller(caller, callers);
  return kept === undefined ? rest : Object.assign(rest, { caller: parseJson(kept) ?? kept });
}

const OBSERVER_CLOSE_MS = 5_000;
const guardedOnes = new WeakSet<Observer>();

/**
 * An observer that keeps the promise of its type whatever the given one does: nothing in it throws, and closing it
 * ends. What the given one throws is passed to its own `unexpected`.
 */
export function guardedObserver(inner: Observer): Observer {
  if (guardedOnes.has(inner)) return inner;
  const unexpected = (error: unknown, where: string): void => {
    try {
      inner.unexpected(error, where);
    } catch {
      // There is nobody left to tell.
    }
  };
  const self = { unexpected };
  const outer: Observer = {
    unexpected,
    began: (call) => runGuarded("observer.began", self, () => inner.began(call)),
    traceparent: (call) => runGuarded("observer.traceparent", self, () => inner.traceparent(call)),
    ended: (call, fault) => runGuarded("observer.ended", self, () => inner.ended(call, fault)),
    switched: (control, state, answer) =>
      runGuarded("observer.switched", self, () => inner.switched(control, state, answer)),
    breaker: (scope, state) => runGuarded("observer.breaker", self, () => inner.breaker(scope, state)),
    tokenRequested: (upstream, outcome) =>
      runGuarded("observer.tokenRequested", self, () => inner.tokenRequested?.(upstream, outcome)),
    storeAnswered: (store, op, durationMs) =>
      runGuarded("observer.storeAnswered", self, () => inner.storeAnswered?.(store, op, durationMs)),
    attach: (state) => runGuarded("observer.attach", self, () => inner.attach?.(state)),
    log: (level, message, facts) => runGuarded("observer.log", self, () => inner.log(level, message, facts)),
    sink: guardedSink("observer.sink", self, (incident) => inner.sink(incident)),
    async metrics() {
      try {
        return await inner.metrics();
      } catch (error) {
        unexpected(error, "observer.metrics");
        throw error;
      }
    },
    async close() {
      try {
        await race(Promise.resolve(inner.close()), { ms: OBSERVER_CLOSE_MS, sleep });
      } catch (error) {
        unexpected(error, "observer.close");
      }
    },
  };
  guardedOnes.add(outer);
  return outer;
}
