const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const MONTH = `(${MONTHS.join("|")})`;
const TIME = "(\\d{2}):(\\d{2}):(\\d{2})";

/** `Wed, 21 Oct 2026 07:28:00 GMT`. */
const FIXDATE = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\\d{2}) ${MONTH} (\\d{4}) ${TIME} GMT$`);
/** `Wednesday, 21-Oct-26 07:28:00 GMT`. */
const RFC850 = new RegExp(`^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\\d{2})-${MONTH}-(\\d{2}) ${TIME} GMT$`);
/** `Wed Oct 21 07:28:00 2026`. */
const ASCTIME = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} ([ \\d]\\d) ${TIME} (\\d{4})$`);

/**
 * The time of an HTTP date in ms, in one of its three forms.
 * `Date` itself is no test of a date: it reads `120` as a year and a time of another format as one of ours.
 */
export function readDate(text: string | undefined, now?: number): number | undefined {
  if (text === undefined || text.length > 64) return undefined;
  const line = text.trim();
  const fix = FIXDATE.exec(line);
  if (fix !== null) return timeOf(fix[3], fix[2], fix[1], fix.slice(4));
  const old = RFC850.exec(line);
  if (old !== null) return timeOf(String(century(Number(old[3]), now)), old[2], old[1], old.slice(4));
  const plain = ASCTIME.exec(line);
  if (plain !== null) return timeOf(plain[6], plain[1], plain[2], plain.slice(3, 6));
  return undefined;
}

/** A year of two digits that looks more than fifty years ahead is one of the past. */
function century(year: number, now: number | undefined): number {
  const newest = (now === undefined ? 2020 : new Date(now).getUTCFullYear()) + 50;
  const full = Math.floor(newest / 100) * 100 + year;
  return full > newest ? full - 100 : full;
}

function timeOf(year: unknown, month: unknown, day: unknown, clock: readonly string[]): number | undefined {
  const [hours = 0, minutes = 0, seconds = 0] = clock.map(Number);
  // A leap second is written as the sixtieth.
  if (hours > 23 || minutes > 59 || seconds > 60) return undefined;
  const ms = Date.UTC(Number(year), MONTHS.indexOf(String(month)), Number(day), hours, minutes, seconds);
  const found = new Date(ms - Math.max(0, seconds - 59) * 1_000);
  return found.getUTCDate() === Number(day) ? ms : undefined;
}
