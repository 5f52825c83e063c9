import { SeverityNumber } from "@opentelemetry/api";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import type { Resource } from "@opentelemetry/resources";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { cleanLogText } from "@recourse/core/safety";
import type { LoggerLike } from "@recourse/core/server";
import { type Attributes, faultAttributes } from "@recourse/core/telemetry";
import type { LogLevel } from "../call/observer.ts";
import type { GatewayConfig } from "../config/types.ts";
import type { GatewayIncident } from "../incidents/incidents.ts";

/** The log of one gateway: lines of JSON on standard error, and records for OpenTelemetry if they are exported. */
export interface Logs {
  /** Takes incidents, as `loggerSink` writes them. */
  readonly logger: Required<LoggerLike>;
  log(level: LogLevel, message: string, facts: Readonly<Record<string, unknown>>): void;
  close(): Promise<void>;
}

const LOG_SEVERITIES = {
  debug: SeverityNumber.DEBUG,
  info: SeverityNumber.INFO,
  warn: SeverityNumber.WARN,
  error: SeverityNumber.ERROR,
  fatal: SeverityNumber.FATAL,
} as const satisfies Record<LogLevel | "fatal", SeverityNumber>;

/** Receives the lines of the log. */
export type WriteLine = (line: string) => void;

/** Levels that a log writes, from the most to the least. */
const LEVELS_BY_WEIGHT = [
  "debug",
  "info",
  "warn",
  "error",
  "fatal",
] as const satisfies readonly (keyof typeof LOG_SEVERITIES)[];

/** Starts the log. Every line names the store, since limits in memory count for one process only. */
export function startLogs(
  { name, store, telemetry }: GatewayConfig,
  resource: Resource,
  writeLine: WriteLine = (line) => process.stderr.write(line),
): Logs {
  const shown: readonly string[] =
    telemetry.logLevel === "silent" ? [] : LEVELS_BY_WEIGHT.slice(LEVELS_BY_WEIGHT.indexOf(telemetry.logLevel));
  const provider =
    telemetry.otlp === undefined
      ? undefined
      : new LoggerProvider({
          resource,
          processors: [
            new BatchLogRecordProcessor({ exporter: new OTLPLogExporter({ url: `${telemetry.otlp}/v1/logs` }) }),
          ],
        });
  const records = provider?.getLogger("@recourse/gateway");
  const write = (level: LogLevel | "fatal", facts: object, message: string, labels: Attributes = {}): void => {
    const about = { level, time: new Date().toISOString(), name, store: store.mode, message };
    if (shown.includes(level)) writeLine(`${factsText(withFacts(about, facts))}\n`);
    records?.emit({
      severityNumber: LOG_SEVERITIES[level],
      severityText: level,
      body: message,
      attributes: { "recourse.store": store.mode, ...labels, facts: factsText(facts) },
    });
  };
  return {
    logger: {
      fatal: (facts, message) => write("fatal", facts, message, factLabels(facts)),
      error: (facts, message) => write("error", facts, message, factLabels(facts)),
      warn: (facts, message) => write("warn", facts, message, factLabels(facts)),
      info: (facts, message) => write("info", facts, message, factLabels(facts)),
    },
    log: (level, message, facts) => write(level, cleanFacts(facts), cleanLogText(message)),
    close: async () => provider?.shutdown(),
  };
}

/** What an incident is searched by in a store of logs: its id, reason, kind, tool and upstream. */
function factLabels(facts: object): Attributes {
  const { fault, upstream, ...operation } = facts as Partial<GatewayIncident>;
  if (fault === undefined) return {};
  return { ...faultAttributes(fault, operation), ...(upstream !== undefined && { "recourse.upstream": upstream }) };
}

/** Facts may repeat what an upstream or a driver said. */
function cleanFacts(facts: Readonly<Record<string, unknown>>): object {
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clean);
    return typeof value === "string" ? cleanLogText(value) : value;
  };
  return Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, clean(value)]));
}

/** What every line has counts before facts of the same name, which are kept apart. */
function withFacts(about: Readonly<Record<string, unknown>>, facts: object): object {
  const named = Object.entries(facts);
  const taken = named.filter(([name]) => name in about);
  const others = named.filter(([name]) => !(name in about));
  return { ...about, ...Object.fromEntries(others), ...(taken.length > 0 && { facts: Object.fromEntries(taken) }) };
}

/** Facts can hold values that JSON cannot say. */
function factsText(facts: object): string {
  try {
    return JSON.stringify(facts);
  } catch {
    return JSON.stringify({ unreadable: Object.keys(facts) });
  }
}
