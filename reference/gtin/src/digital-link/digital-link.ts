/** The content of a GS1 Digital Link URI. */
export interface DigitalLink {
  /** Fourteen digits. */
  readonly gtin: string;
  readonly qualifiers: Readonly<Partial<Record<Qualifier, string>>>;
  readonly attributes: Readonly<Partial<Record<DateAttribute, string>>>;
}

/** Everything that can be wrong with a Digital Link URI, with a sentence for the caller. */
export const LINK_PROBLEMS = {
  not_a_uri: "It is not an http or https URI with a host and without userinfo.",
  no_key: "Its path has no /01/ with a GTIN behind it.",
  compressed: "It looks like a compressed Digital Link, which is not supported.",
  gtin: "The value behind /01/ is not a valid GTIN.",
  escape: "A percent escape in it is broken.",
  value: "A value in it is empty, too long, or has characters that GS1 does not allow.",
  qualifiers:
    "What follows the GTIN is not a sequence of qualifiers that GS1 allows: 22, 10, 21 in this order, or 235.",
  qualifier_in_query: "A qualifier stands in the query instead of the path.",
  attribute: "A number in the query is not a data attribute that is supported here.",
  duplicate: "An identifier stands in it twice.",
} as const;
/** The name of a problem. */
export type LinkProblem = keyof typeof LINK_PROBLEMS;
/** The names of all problems. */
export const LINK_PROBLEM_NAMES = Object.keys(LINK_PROBLEMS) as readonly LinkProblem[];

/** A parsed URI, or what is wrong with it. */
export type Parsed =
  | {
      readonly ok: true;
      readonly link: DigitalLink;
      /** Whether the GTIN had less than fourteen digits. */
      readonly short: boolean;
    }
  | { readonly ok: false; readonly problem: LinkProblem };

/** The characters that GS1 allows in a value. */
const CSET_82 = /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]+$/;
const DATE = /^[0-9]{6}$/;

/** Qualifiers of a product, in their order in a path, with their maximum length. */
export const QUALIFIERS = { "22": 20, "10": 20, "21": 20, "235": 28 } as const satisfies Record<string, number>;
/** A qualifier: variant, lot, serial number, or serial number of a third party. */
export type Qualifier = keyof typeof QUALIFIERS;
/** The allowed sequences of qualifiers in a path; each qualifier may be left out. */
export const SEQUENCES: readonly (readonly Qualifier[])[] = [["22", "10", "21"], ["235"]];

/** The dates that a query may have: production, packaging, best before, sell by, expiry. */
export const DATES = ["11", "13", "15", "16", "17"] as const;
/** A date attribute. */
export type DateAttribute = (typeof DATES)[number];

/** Whether a key is a qualifier. */
export function isQualifier(key: string): key is Qualifier {
  return Object.hasOwn(QUALIFIERS, key);
}

/** Whether a key is a date attribute. */
export function isDateAttribute(key: string): key is DateAttribute {
  return (DATES as readonly string[]).includes(key);
}

/** Whether a qualifier may have a value. URL parsers remove `.` and `..`, however they are escaped. */
export function fitsQualifier(key: Qualifier, value: string): boolean {
  if (value === "." || value === "..") return false;
  return value.length > 0 && value.length <= QUALIFIERS[key] && CSET_82.test(value);
}

/** Whether a value is a date in GS1's form `YYMMDD`. Day 00 leaves the day open. */
export function isDate(value: string): boolean {
  if (!DATE.test(value)) return false;
  const [year = 0, month = 0, day = 0] = [value.slice(0, 2), value.slice(2, 4), value.slice(4)].map(Number);
  // Leap years have the same last two digits in both centuries that GS1's two-digit years can mean.
  const days = new Date(Date.UTC(2_000 + year, month, 0)).getUTCDate();
  return month >= 1 && month <= 12 && day <= days;
}

/** Builds a Digital Link URI below a base such as `https://id.example.com`. */
export function buildDigitalLink(link: DigitalLink, base: string): string {
  const path = SEQUENCES.flat().flatMap((key) => pathSegment(key, link.qualifiers[key]));
  const query = DATES.flatMap((key) => (link.attributes[key] === undefined ? [] : [`${key}=${link.attributes[key]}`]));
  const stem = base.replace(/\/+$/, "");
  return `${stem}/01/${link.gtin}${path.join("")}${query.length > 0 ? `?${query.join("&")}` : ""}`;
}

function pathSegment(key: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`/${key}/${escapeSegment(value)}`];
}

/** Escapes everything except unreserved characters; `encodeURIComponent` leaves some others. */
function escapeSegment(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
