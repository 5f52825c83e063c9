import { shouldReport } from "../fault/should-report.ts";
import { writeStderr } from "../platform/streams.ts";
import { logPairs, renderLog } from "../render/log.ts";
import { describeCause } from "./describe-cause.ts";
import { deliver, type Incident, type Sink } from "./incident.ts";

/**
 * Combines several sinks. Each of them gets every incident, even if another one fails.
 *
 * @example
 * guard(server, { sink: combineSinks(stderrSink(), otelSink(api)) });
 */
export function combineSinks(...sinks: readonly Sink[]): (incident: Incident) => void {
  return (incident) => {
    for (const sink of sinks) deliver(sink, incident);
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
export function stderrSink(options: StderrSinkOptions = {}): (incident: Incident) => void {
  const write = options.write ?? writeStderr;
  return (incident) =>
    deliver((one) => write(`${[incidentLine(one), ...describeCause(one)].join("\n  ")}\n`), incident);
}

/** The methods that `loggerSink` needs of a logger such as pino. */
export interface LoggerLike {
  /** Logs a failure that an operator has to look at. */
  error(fields: object, message: string): unknown;
  /** Logs any other failure. @default `error` is used */
  warn?(fields: object, message: string): unknown;
}

/**
 * Logs each incident with its fields. Failures that `shouldReport` selects are errors, all others are warnings.
 *
 * @example
 * guard(server, { sink: loggerSink(pino()) });
 */
export function loggerSink(logger: LoggerLike): (incident: Incident) => void {
  return (incident) => deliver((one) => logIncident(logger, one), incident);
}

function logIncident(logger: LoggerLike, incident: Incident): unknown {
  const { fault, cause: _cause, secrets: _secrets, ...rest } = incident;
  const stack = describeCause(incident);
  const fields = { ...rest, fault, ...(stack.length > 0 && { err: { stack: stack.join("\n") } }) };
  if (!shouldReport(fault, { textHidden: false }) && logger.warn !== undefined)
    return logger.warn(fields, fault.message);
  return logger.error(fields, fault.message);
}

function incidentLine({ fault, at, method, tool, durationMs, code }: Incident): string {
  const about = logPairs({ at: fault.at ?? at, method, tool, duration_ms: durationMs, code });
  return [about, renderLog(fault)].join(" ");
}
