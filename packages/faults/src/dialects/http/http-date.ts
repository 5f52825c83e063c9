const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MONTH_PATTERN = `(${MONTHS.join("|")})`;
const TIME_PATTERN = "(\\d{2}):(\\d{2}):(\\d{2})";

/** `Wed, 21 Oct 2026 07:28:00 GMT`. */
const FIXDATE = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\\d{2}) ${MONTH_PATTERN} (\\d{4}) ${TIME_PATTERN} GMT$`);
/** `Wednesday, 21-Oct-26 07:28:00 GMT`. */
const RFC850 = new RegExp(
  `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\\d{2})-${MONTH_PATTERN}-(\\d{2}) ${TIME_PATTERN} GMT$`,
);
/** `Wed Oct 21 07:28:00 2026`. */
const ASCTIME = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH_PATTERN} ([ \\d]\\d) ${TIME_PATTERN} (\\d{4})$`);

/**
 * Parses an HTTP date in one of its three formats into ms since 1970.
 * `Date.parse` cannot validate it: it takes `120` for a year and accepts many other formats.
 */
export function parseHttpDate(text: string | undefined, now?: number): number | undefined {
  if (text === undefined || text.length > 64) return undefined;
  const line = text.trim();
  const fix = FIXDATE.exec(line);
  if (fix !== null) return utcTime(fix[3], fix[2], fix[1], fix.slice(4));
  const rfc850 = RFC850.exec(line);
  if (rfc850 !== null) {
    return utcTime(String(fullYear(Number(rfc850[3]), now)), rfc850[2], rfc850[1], rfc850.slice(4));
  }
  const asctime = ASCTIME.exec(line);
  if (asctime !== null) return utcTime(asctime[6], asctime[1], asctime[2], asctime.slice(3, 6));
  return undefined;
}

/** A two-digit year that would be more than fifty years ahead belongs to the past century. */
function fullYear(year: number, now: number | undefined): number {
  const newest = (now === undefined ? 2020 : new Date(now).getUTCFullYear()) + 50;
  const full = Math.floor(newest / 100) * 100 + year;
  return full > newest ? full - 100 : full;
}

function utcTime(year: unknown, month: unknown, day: unknown, clock: readonly string[]): number | undefined {
  const [hours = 0, minutes = 0, seconds = 0] = clock.map(Number);
  // A leap second is written as 60.
  if (hours > 23 || minutes > 59 || seconds > 60) return undefined;
  const ms = Date.UTC(Number(year), MONTHS.indexOf(String(month)), Number(day), hours, minutes, seconds);
  const found = new Date(ms - Math.max(0, seconds - 59) * 1_000);
  return found.getUTCDate() === Number(day) ? ms : undefined;
}
