/** What programs write in front of a line of a log: hosts, containers and loggers. */
export interface LinePrefix {
  /** When it was written, as it stands there: `readLogTime` reads it. */
  readonly stamp?: string;
  /** How bad it is, if the line says so. */
  readonly level?: LogLevelName;
  /** The line behind it. Its indent stays. */
  readonly rest: string;
}

/** How bad a line is: whether it may be about a failure. */
export type LogLevelName = "quiet" | "failing";

/** A time. Loggers of Python separate milliseconds with a comma. */
const LINE_TIME = /^\[?(\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?)\]?(?: |$)/;

/** Prefixes by what they begin with. A word that they catch can be a level. */
const PREFIXES = {
  digit: [LINE_TIME],
  bracket: [
    LINE_TIME,
    // Hosts: the server and the level.
    /^\[([\w.@/ -]{1,64})\](?: |$)/,
  ],
  letter: [
    /^(DEBUG|INFO|WARN|WARNING|ERROR|FATAL|CRITICAL)(?::| -)? {1,8}(?=\S)/,
    // Containers under Kubernetes: the stream, and whether the line is complete.
    /^std(?:out|err) [FP] /,
    // `docker compose logs`: the name of the service.
    /^[\w.-]{1,64} {1,40}\| /,
    // syslog and journald.
    /^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d [\w.-]{1,64} [\w./-]{1,64}(?:\[\d{1,10}\])?: /,
  ],
} as const satisfies Record<string, readonly RegExp[]>;

function prefixesFor(code: number): readonly RegExp[] {
  if (code === 0x5b) return PREFIXES.bracket;
  if (code >= 0x30 && code <= 0x39) return PREFIXES.digit;
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) ? PREFIXES.letter : [];
}

const LEVELS: Readonly<Record<string, LogLevelName>> = {
  trace: "quiet",
  debug: "quiet",
  info: "quiet",
  notice: "quiet",
  warn: "failing",
  warning: "failing",
  error: "failing",
  fatal: "failing",
  critical: "failing",
};

/** A line has a few of them at most. */
const MAX_PREFIXES = 6;

/** Takes off what stands in front of a line. */
export function splitPrefix(line: string): LinePrefix {
  let rest = line;
  let stamp: string | undefined;
  let level: LogLevelName | undefined;
  for (let count = 0; count < MAX_PREFIXES; count += 1) {
    const found = firstMatch(prefixesFor(rest.charCodeAt(0)), rest);
    if (found === undefined) break;
    const { 0: whole, 1: word = "" } = found;
    if (/^\d{4}-/.test(word)) stamp ??= word;
    else level ??= readLevel(word);
    rest = rest.slice(whole.length);
  }
  return { rest, ...(stamp !== undefined && { stamp }), ...(level !== undefined && { level }) };
}

function firstMatch(patterns: readonly RegExp[], text: string): RegExpExecArray | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found !== null) return found;
  }
  return undefined;
}

/** Numbers of pino: 40 is a warning. */
const FIRST_FAILING_LEVEL = 40;

/** What a level means, as a word or as a number. */
export function readLevel(value: unknown): LogLevelName | undefined {
  if (typeof value === "number") return value >= FIRST_FAILING_LEVEL ? "failing" : "quiet";
  const name = typeof value === "string" ? value.trim().toLowerCase() : "";
  return Object.hasOwn(LEVELS, name) ? LEVELS[name] : undefined;
}

/** Times of logs lie between 2000 and 2100; other numbers count something else. */
const FIRST_TIME_MS = Date.UTC(2000);
const LAST_TIME_MS = Date.UTC(2100);

/** A time of a log as ISO 8601: a text, or seconds or milliseconds since 1970. */
export function readLogTime(value: unknown): string | undefined {
  if (typeof value === "number")
    return plausibleTime(value) ?? (Number.isFinite(value) ? plausibleTime(Math.round(value * 1_000)) : undefined);
  if (typeof value !== "string" || value.length > 40 || !/^\d{4}-\d\d-\d\d[T ]\d/.test(value)) return undefined;
  const text = value.replace(",", ".").replace(" ", "T");
  // A time without a zone is taken for UTC: the zone of this machine says nothing about the log.
  return plausibleTime(Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`));
}

function plausibleTime(ms: number): string | undefined {
  return ms >= FIRST_TIME_MS && ms < LAST_TIME_MS ? new Date(ms).toISOString() : undefined;
}
