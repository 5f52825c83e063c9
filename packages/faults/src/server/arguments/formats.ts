/** A format that is known by name: how it is told, and a rough look that lets through all that are right. */
interface Format {
  readonly says: string;
  readonly fits?: (text: string) => boolean;
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?/;
const ZONE = /^(z|[+-]\d\d:?\d\d)$/i;

const FORMATS: Readonly<Record<string, Format>> = {
  date: { says: "a date (YYYY-MM-DD)", fits: isDay },
  "date-time": {
    says: "a date-time (YYYY-MM-DDThh:mm:ssZ)",
    fits: (text) => isDay(text.slice(0, 10)) && /^[t ]$/i.test(text.charAt(10)) && isClock(text.slice(11), true),
  },
  time: { says: "a time (hh:mm:ss)", fits: (text) => isClock(text, false) },
  duration: { says: "an ISO 8601 duration", fits: (text) => /^P(?=.)[\dYMWDTHS.,]+$/.test(text) },
  email: { says: "an email address", fits: (text) => /^[^\s@]+@[^\s@]+$/.test(text) },
  "idn-email": { says: "an email address", fits: (text) => /^[^\s@]+@[^\s@]+$/.test(text) },
  uri: { says: "a URI with a scheme", fits: (text) => /^[a-z][a-z\d+.-]*:\S+$/i.test(text) },
  url: { says: "a URL with a scheme", fits: (text) => /^[a-z][a-z\d+.-]*:\S+$/i.test(text) },
  iri: { says: "an IRI with a scheme" },
  "uri-reference": { says: "a URI or a relative reference" },
  uuid: { says: "a UUID", fits: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) },
  guid: { says: "a UUID" },
  hostname: { says: "a host name" },
  ipv4: { says: "an IPv4 address", fits: (text) => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) },
  ipv6: { says: "an IPv6 address", fits: (text) => /^[\da-f:.]{2,45}$/i.test(text) && text.includes(":") },
  "json-pointer": { says: "a JSON Pointer" },
  regex: { says: "a regular expression" },
  base64: { says: "base64 text" },
  base64url: { says: "base64url text" },
  byte: { says: "base64 text" },
};

function isDay(text: string): boolean {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (day === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // Two-digit years are moved by the platform, so only month and day are compared.
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isClock(text: string, zoned: boolean): boolean {
  const [clock] = CLOCK.exec(text) ?? [];
  if (clock === undefined) return false;
  const zone = text.slice(clock.length);
  return ZONE.test(zone) || (!zoned && zone === "");
}

/** How a format is told; one that is not known is told by its name, when that is a plain one. */
export function sayFormat(name: string): string | undefined {
  if (Object.hasOwn(FORMATS, name)) return FORMATS[name]?.says;
  return /^[a-z][a-z\d_-]{0,39}$/i.test(name) ? `text in the format ${name}` : undefined;
}

/** Tells whether a format is one of those known here. */
export function isKnownFormat(name: string): boolean {
  return Object.hasOwn(FORMATS, name);
}

/** Whether a text looks as its format says; undefined where that cannot be told. */
export function fitsFormat(name: string, text: string): boolean | undefined {
  return Object.hasOwn(FORMATS, name) ? FORMATS[name]?.fits?.(text) : undefined;
}
