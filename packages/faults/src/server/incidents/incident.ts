import { isCallersMistake } from "../../fault/callers-mistake.ts";
import type { Fault } from "../../fault/fault.ts";
import { knownKind } from "../../fault/kinds.ts";
import { renderLog } from "../../render/log.ts";
import type { SecretFilter } from "../../safety/secrets.ts";
import { describeCause } from "./cause.ts";

/** The private record of one failure: what went out, and what is only the operator's business. */
export interface Incident {
  /** The fault as the caller got it; its `incident` is the id that both sides know. */
  readonly fault: Fault;
  /** What was thrown, whole. */
  readonly cause?: unknown;
  /** ISO time. */
  readonly at: string;
  readonly method?: string;
  readonly tool?: string;
  readonly durationMs?: number;
  /** The JSON-RPC code that the caller got. */
  readonly code?: number;
  /** The caller got the result of a tool that failed. */
  readonly isError?: boolean;
  /** Knows the secrets of the request, so that they stay out of logs. */
  readonly secrets?: SecretFilter;
}

/** Takes incidents to where an operator finds them; one that throws or rejects is counted and otherwise ignored. */
export type Sink = (incident: Incident) => unknown;

let failures = 0;

/** How many times a sink failed since the process began. */
export function sinkFailures(): number {
  return failures;
}

/** Hands an incident to a sink, and never fails. */
export function tell(sink: Sink, incident: Incident): void {
  try {
    const pending = sink(incident);
    if (pending instanceof Promise) pending.catch(() => failures++);
  } catch {
    failures++;
  }
}

/** Wraps a sink so that it never throws. */
function quiet(sink: Sink): (incident: Incident) => void {
  return (incident) => tell(sink, incident);
}

/** Hands each incident to every sink, whatever becomes of the others. */
export function combineSinks(...sinks: readonly Sink[]): (incident: Incident) => void {
  return (incident) => {
    for (const sink of sinks) tell(sink, incident);
  };
}

/** Writes one line for each incident, and below it, indented, the stack of what was thrown. */
export function stderrSink(options: { readonly write?: (text: string) => unknown } = {}): (incident: Incident) => void {
  const write = options.write ?? writeError;
  return quiet((incident) => write(`${[lineOf(incident), ...describeCause(incident)].join("\n  ")}\n`));
}

/** What is needed of a logger such as pino. */
export interface LoggerLike {
  error(fields: object, message: string): unknown;
  warn?(fields: object, message: string): unknown;
}

/** Logs each incident with its fields: failures of the server as errors, the callers' own mistakes as warnings. */
export function loggerSink(logger: LoggerLike): (incident: Incident) => void {
  return quiet((incident) => {
    const { fault, cause: _cause, secrets: _secrets, ...rest } = incident;
    const stack = describeCause(incident);
    const fields = { ...rest, fault, ...(stack.length > 0 && { err: { stack: stack.join("\n") } }) };
    if (isCallersDoing(fault) && logger.warn !== undefined) return logger.warn(fields, fault.message);
    return logger.error(fields, fault.message);
  });
}

/** Mistakes of the caller, which say nothing about the health of the server. */
export function isCallersDoing(fault: Fault): boolean {
  // A method, version or capability that one side lacks is how the two find out what they have in common.
  const isNotServed = knownKind(fault) === "unsupported" && fault.reason.startsWith("protocol/");
  return isCallersMistake(fault) || isNotServed;
}

function lineOf({ fault, at, method, tool, durationMs, code }: Incident): string {
  const pairs = Object.entries({ at: fault.at ?? at, method, tool, duration_ms: durationMs, code });
  const known = pairs.filter(([, value]) => value !== undefined);
  return [...known.map(([key, value]) => `${key}=${plain(String(value))}`), renderLog(fault)].join(" ");
}

/** Bare where nothing could be mistaken for another pair, else as a JSON string. */
function plain(value: string): string {
  return /^[\w.,:/-]{1,200}$/.test(value) ? value : JSON.stringify(value.slice(0, 200));
}

/** Where there is a process its standard error, since standard output may be the wire; else the console. */
function writeError(text: string): void {
  const { process, console } = globalThis as {
    process?: { stderr?: { write(text: string): unknown } };
    console?: { error(text: string): void };
  };
  if (typeof process?.stderr?.write === "function") process.stderr.write(text);
  else console?.error(text.trimEnd());
}
