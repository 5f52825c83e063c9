import { type Severity, severityOf } from "../fault/severity.ts";
import { writeStderr } from "../platform/streams.ts";
import { logPairs, renderLog } from "../render/render.ts";
import { cleanLogText } from "../safety/clean-log-text.ts";
import type { SecretFilter } from "../safety/secrets.ts";
import { describeCause } from "./describe-cause.ts";
import { deliverIncident, type Incident, type Sink } from "./incident.ts";

/**
 * Combines several sinks. Each of them gets every incident, even if another one fails.
 *
 * @example
 * guard(server, { sink: combineSinks(stderrSink(), otelSink(api)) });
 */
export function combineSinks(...sinks: readonly Sink[]): Sink {
  return (incident) => {
    for (const sink of sinks) deliverIncident(sink, incident);
  };
}

/** Options of `stderrSink`. */
export interface StderrSinkOptions {
  /** Writes the text. @default standard error, or the console if there is no process */
  readonly write?: (text: string) => unknown;
}

/**
 * Writes one line for each incident, followed by the indented stack of the thrown error. It is the default sink.
 *
 * @example
 * guard(server, { sink: stderrSink() });
 */
export function stderrSink(options: StderrSinkOptions = {}): Sink {
  const write = options.write ?? writeStderr;
  return (incident) =>
    deliverIncident((one) => write(`${[incidentLine(one), ...describeCause(one)].join("\n  ")}\n`), incident);
}

/** The methods that `loggerSink` needs of a logger such as pino. */
export interface LoggerLike {
  /** Logs a failure of severity `error`. */
  error(fields: object, message: string): unknown;
  /** Logs a critical failure. @default `error` is used */
  fatal?(fields: object, message: string): unknown;
  /** Logs a warning. @default `error` is used */
  warn?(fields: object, message: string): unknown;
  /** Logs a failure that no one has to act on. @default `warn` is used */
  info?(fields: object, message: string): unknown;
}

/** The methods for each severity, the best first. */
const LOGGER_METHODS = {
  critical: ["fatal", "error"],
  error: ["error"],
  warning: ["warn", "error"],
  info: ["info", "warn", "error"],
} as const satisfies Record<Severity, readonly (keyof LoggerLike)[]>;

/**
 * Logs each incident with its fields, at the level of its severity.
 *
 * @example
 * guard(server, { sink: loggerSink(pino()) });
 */
export function loggerSink(logger: LoggerLike): Sink {
  return (incident) => deliverIncident((one) => logIncident(logger, one), incident);
}

function logIncident(logger: LoggerLike, incident: Incident): unknown {
  const { fault, cause: _cause, secrets, ...rest } = incident;
  const stack = describeCause(incident);
  const fields = {
    ...(withoutSecrets(rest, secrets) as typeof rest),
    fault,
    ...(stack.length > 0 && { err: { stack: stack.join("\n") } }),
  };
  const method =
    LOGGER_METHODS[incident.severity ?? severityOf(fault)].find((one) => logger[one] !== undefined) ?? "error";
  return logger[method]?.(fields, fault.message);
}

/** The most that is logged of one text. */
const MAX_LOGGED_FIELD = 4_096;

/** A copy without secrets and long texts: callers choose the names of tools, and servers what they answer and print. */
function withoutSecrets(value: unknown, secrets: SecretFilter | undefined): unknown {
  if (typeof value === "string") return cleanLogText(value, { secrets, max: MAX_LOGGED_FIELD });
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, secrets));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutSecrets(item, secrets)]));
}

function incidentLine({ fault, at, method, tool, durationMs, code, secrets }: Incident): string {
  const names = withoutSecrets({ method, tool }, secrets) as object;
  const about = logPairs({ at: fault.at ?? at, ...names, duration_ms: durationMs, code });
  return [about, renderLog(fault)].join(" ");
}
