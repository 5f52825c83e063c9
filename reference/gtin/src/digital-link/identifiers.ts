/** Characters that a value may have: GS1's set of 82. */
const CSET_82 = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]+$/;
const DATE = /^[0-9]{6}$/;

/** What names a product more closely, in the order in which it stands in a path. */
export const QUALIFIERS = { "22": 20, "10": 20, "21": 20, "235": 28 } as const satisfies Record<string, number>;
/** One of them: variant, lot, serial number, or a serial number that a third party controls. */
export type Qualifier = keyof typeof QUALIFIERS;
/** Sequences of qualifiers that may stand in a path; each may be left out. */
export const SEQUENCES: readonly (readonly Qualifier[])[] = [["22", "10", "21"], ["235"]];

/** Dates that may stand in a query: production, packaging, best before, sell by, expiry. */
export const DATES = ["11", "13", "15", "16", "17"] as const;
/** One of them. */
export type DateAttribute = (typeof DATES)[number];

export function isQualifier(key: string): key is Qualifier {
  return Object.hasOwn(QUALIFIERS, key);
}

export function isDateAttribute(key: string): key is DateAttribute {
  return (DATES as readonly string[]).includes(key);
}

/** Whether a value may stand behind a qualifier; every URL parser takes `.` and `..` for steps, however they are escaped. */
export function fitsQualifier(key: Qualifier, value: string): boolean {
  if (value === "." || value === "..") return false;
  return value.length > 0 && value.length <= QUALIFIERS[key] && CSET_82.test(value);
}

/** Whether a value is a date as GS1 writes it, `YYMMDD`; the day 00 leaves the day open. */
export function isDate(value: string): boolean {
  if (!DATE.test(value)) return false;
  const [year = 0, month = 0, day = 0] = [value.slice(0, 2), value.slice(2, 4), value.slice(4)].map(Number);
  // Leap years have the same last two digits in both centuries that GS1's window reaches into.
  const days = new Date(Date.UTC(2_000 + year, month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day <= days;
}
