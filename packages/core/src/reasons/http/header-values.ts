// Values of HTTP headers: dates, and structured fields (RFC 9651) as far as rate limits need them. Lists and the older
// dictionaries are read alike.

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const MONTH_PATTERN = `(${MONTHS.join("|")})`;

const TIME_PATTERN = "(\\d{2}):(\\d{2}):(\\d{2})";

/** `Wed, 21 Oct 2026 07:28:00 GMT`. */
const FIXDATE = new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\\d{2}) ${MONTH_PATTERN} (\\d{4}) ${TIME_PATTERN} GMT$`);

/**
 * Parses an HTTP date into ms since 1970, in the one form that may be written. Nobody sends the two obsolete ones.
 * `Date.parse` cannot validate it: it takes `120` for a year and accepts many other formats.
 */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 64) return undefined;
  const date = FIXDATE.exec(text.trim());
  return date === null ? undefined : utcTime(date[3], date[2], date[1], date.slice(4));
}

function utcTime(year: unknown, month: unknown, day: unknown, clock: readonly string[]): number | undefined {
  const [hours = 0, minutes = 0, seconds = 0] = clock.map(Number);
  // A leap second is written as 60.
  if (hours > 23 || minutes > 59 || seconds > 60) return undefined;
  const ms = Date.UTC(Number(year), MONTHS.indexOf(String(month)), Number(day), hours, minutes, seconds);
  const found = new Date(ms - Math.max(0, seconds - 59) * 1_000);
  return found.getUTCDate() === Number(day) ? ms : undefined;
}

/** A value without parameters. */
export type BareItem = string | number | boolean;

/** One member of a list, such as `"burst";r=0;t=30`, or of a dictionary, such as `remaining=0`. */
export interface FieldItem {
  /** The key, in a dictionary. */
  readonly key?: string;
  readonly value: BareItem;
  readonly params: Readonly<Record<string, BareItem>>;
}

const MAX_FIELD_LENGTH = 4_096;

const MAX_FIELD_ITEMS = 50;

/** RFC 9651 allows fifteen digits. */
const MAX_INTEGER = 999_999_999_999_999;

const BARE_ITEMS: readonly { readonly form: RegExp; readonly read: (text: string) => BareItem }[] = [
  { form: /"(?:[ !#-[\]-~]|\\["\\])*"/y, read: (text) => text.slice(1, -1).replaceAll(/\\(.)/g, "$1") },
  { form: /-?\d{1,15}(?:\.\d{1,3})?(?![\d.])/y, read: Number },
  { form: /\?[01]/y, read: (text) => text === "?1" },
  { form: /:[A-Za-z0-9+/=]*:/y, read: (text) => text.slice(1, -1) },
  { form: /[A-Za-z*][!#$%&'*+.^_`|~0-9A-Za-z:/-]*/y, read: String },
];

const PARAM_KEY = /[a-z*][a-z0-9_.*-]*/y;

const DICTIONARY_KEY = /([a-z*][a-z0-9_.*-]*)[ \t]*=[ \t]*/y;

const SEMICOLON = /[ \t]*;[ \t]*/y;

const LIST_COMMA = /[ \t]*,[ \t]*/y;

/** Parses the members of a field. A malformed field has none. */
export function parseField(field: string | undefined): readonly FieldItem[] {
  if (field === undefined || field.length > MAX_FIELD_LENGTH) return [];
  const text = field.trim();
  let at = 0;
  const take = (form: RegExp): string | undefined => {
    form.lastIndex = at;
    const found = form.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const takeValue = (): BareItem | undefined => {
    for (const { form, read } of BARE_ITEMS) {
      const found = take(form);
      if (found !== undefined) return read(found);
    }
    return undefined;
  };
  const items: FieldItem[] = [];
  while (at < text.length && items.length < MAX_FIELD_ITEMS) {
    const key = take(DICTIONARY_KEY)?.replace(/[ \t]*=[ \t]*$/, "");
    const value = takeValue();
    if (value === undefined) return [];
    const params: Record<string, BareItem> = {};
    while (take(SEMICOLON) !== undefined) {
      const name = take(PARAM_KEY);
      if (name === undefined) return [];
      const given = text[at] === "=";
      if (given) at += 1;
      const param = given ? takeValue() : true;
      if (param === undefined) return [];
      params[name] = param;
    }
    items.push(key === undefined ? { value, params } : { key, value, params });
    if (at === text.length) return items;
    if (take(LIST_COMMA) === undefined || at === text.length) return [];
  }
  return items;
}

/** Writes a named member with its parameters, without those that are undefined. */
export function serializeItem(name: string, params: Readonly<Record<string, string | number | undefined>>): string {
  let out = quoteString(name);
  for (const [key, value] of Object.entries(params)) {
    if (typeof value === "number") out += `;${key}=${Math.min(value, MAX_INTEGER)}`;
    else if (value !== undefined && /^[ -~]+$/.test(value)) out += `;${key}=${quoteString(value)}`;
  }
  return out;
}

function quoteString(text: string): string {
  return `"${text.replaceAll(/["\\]/g, "\\$&")}"`;
}
