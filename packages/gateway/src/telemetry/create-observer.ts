import { resourceFromAttributes } from "@opentelemetry/resources";
import { parseJson } from "@recourse/faults/internal-do-not-use";
import { type Incident, loggerSink } from "@recourse/faults/server";
import type { GatewayConfig, IncidentsConfig } from "../config/types.ts";
import { keptCaller } from "../incidents/caller-key.ts";
import { causesOf } from "../incidents/causes.ts";
import type { GatewayIncident } from "../incidents/incidents.ts";
import { guardedObserver } from "./guarded-observer.ts";
import { startLogs, type WriteLine } from "./logs.ts";
import { startMetrics } from "./metrics.ts";
import type { Observer } from "./observer.ts";
import { PASSING_TRACES, startTraces } from "./traces.ts";

/** How many exceptions of a minute get a line. A caller may cause them; all are counted. */
const UNEXPECTED_LINES = 60;
const MINUTE_MS = 60_000;
/** Sending what is left may take this long when the gateway stops. */
const CLOSE_MS = 2_000;

export interface ObserverOptions {
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
    traceOf: (call) => traces.next(call),
    ended(call, fault) {
      metrics.ended(call, fault, now() - call.startedMs);
      traces.ended(call, fault);
    },
    switched(control, state, answer) {
      metrics.switched(control, state);
      logs.log(state === "away" ? "warn" : "info", `${control} ${state}`, { control, state, answer });
    },
    breaker({ upstream, tool }, state) {
      if (tool === undefined) metrics.breaker(upstream, state);
      const level = { closed: "info", open: "warn", "half-open": "debug" } as const;
      logs.log(level[state], `breaker ${state}`, { upstream, ...(tool !== undefined && { tool }), state });
    },
    log: (level, message, facts = {}) => logs.log(level, message, facts),
    unexpected(error, where) {
      metrics.unexpected(where);
      if (now() - windowMs >= MINUTE_MS) {
        windowMs = now();
        written = 0;
      }
      written += 1;
      if (written > UNEXPECTED_LINES) return;
      const causes = causesOf({ cause: error });
      logs.log("error", "An exception that nobody expected; the process goes on.", { where, causes });
    },
    sink: (incident) => log(withCaller(incident, config.incidents)),
    metrics: () => metrics.text(),
    async close() {
      const closing = Promise.allSettled([metrics.close(), traces.close(), logs.close()]);
      await Promise.race([closing, new Promise((resolve) => setTimeout(resolve, CLOSE_MS).unref())]);
    },
  });
}

/** The log names callers only as the store of incidents does. An id that is JSON is written as such, not as a text. */
function withCaller(incident: Incident, { callers }: IncidentsConfig): Incident {
  const { caller, ...rest } = incident as GatewayIncident;
  const kept = keptCaller(caller, callers);
  return kept === undefined ? rest : Object.assign(rest, { caller: parseJson(kept) ?? kept });
}
