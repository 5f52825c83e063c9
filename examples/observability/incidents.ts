// Three ways of an incident out of the process: a log (pino), an error tracker (Sentry), a span (OpenTelemetry).
import type { LoggerLike, Sink } from "@recourse/faults/server";
import { loggerSink, redactedError } from "@recourse/faults/server";
import type * as Sentry from "@sentry/node";

/** pino and loggers like it need no code: `loggerSink` writes the redacted stack as `err.stack`. */
export const logged = (logger: LoggerLike): Sink => loggerSink(logger);

const LEVELS = { critical: "fatal", error: "error", warning: "warning", info: "info" } as const;

/** Sentry gets a copy of the error without secrets, never the error itself. One issue for each reason and tool. */
export function sentrySink(sentry: Pick<typeof Sentry, "captureException">): Sink {
  return async (incident) => {
    const { fault, method = "unknown", tool = "none", severity = "error" } = incident;
    sentry.captureException(await redactedError(incident), {
      level: LEVELS[severity],
      fingerprint: [fault.reason, tool],
      tags: { "fault.kind": fault.kind, "fault.reason": fault.reason, method, tool, incident: fault.incident },
    });
  };
}
