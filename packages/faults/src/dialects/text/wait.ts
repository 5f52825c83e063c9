const WAIT_UNITS_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

/** A sentence: "Try again in 7 seconds", "Please wait 5 minutes before retrying". */
const WAIT_IN_SENTENCE =
  /\b(?:(?:re)?try(?:ing)?|wait|resets?|available)\b[^.:;\n\d]{0,40}?(\d{1,6}(?:\.\d{1,3})?) ?(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)\b/i;
/** A member or a header: `"retry_after": 30`, `Retry-After: 30`, `retryAfterMs=250`. Without a unit it counts seconds. */
const WAIT_IN_MEMBER =
  /\bretry[-_ ]?after(?:[-_ ]?(ms|s|seconds))?["']?\s?[:=]\s?["']?(\d{1,9}(?:\.\d{1,3})?)(?![\d-])/i;

/** The wait that a text asks for, in milliseconds; undefined if it names none. */
export function waitInText(text: string): number | undefined {
  const [, count, unit] = WAIT_IN_SENTENCE.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return Math.ceil(Number(count) * WAIT_UNITS_MS[wordToUnit(unit)]);
  const [, suffix, number] = WAIT_IN_MEMBER.exec(text) ?? [];
  if (number === undefined) return undefined;
  return Math.ceil(Number(number) * WAIT_UNITS_MS[wordToUnit(suffix ?? "s")]);
}

function wordToUnit(word: string): keyof typeof WAIT_UNITS_MS {
  const lower = word.toLowerCase();
  return lower.startsWith("mil") || lower === "ms" ? "ms" : (lower[0] as "s" | "m" | "h");
}
