/** A format that is known by name: its phrase, and a rough test that every right text passes. */
interface KnownFormat {
  readonly phrase: string;
  readonly fits?: (text: string) => boolean;
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
const CLOCK = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?/;
const ZONE = /^(z|[+-]\d\d:?\d\d)$/i;
const MAIL = /^(?:[^\s@]+|".+")@[^\s@]+$/;
const ADDRESS_WITH_SCHEME = /^[a-z][a-z\d+.-]*:\S+$/i;

const KNOWN_FORMATS: Readonly<Record<string, KnownFormat>> = {
  date: { phrase: "a date (YYYY-MM-DD)", fits: isDay },
  "date-time": {
    phrase: "a date-time (YYYY-MM-DDThh:mm:ssZ)",
    fits: (text) => isDay(text.slice(0, 10)) && /^[t ]$/i.test(text.charAt(10)) && isClock(text.slice(11), ZONE),
  },
  time: { phrase: "a time (hh:mm:ss)", fits: (text) => isClock(text, /^$/) || isClock(text, ZONE) },
  duration: { phrase: "an ISO 8601 duration", fits: (text) => /^P(?=.)[\dYMWDTHS.,]+$/.test(text) },
  email: { phrase: "an email address", fits: (text) => MAIL.test(text) },
  "idn-email": { phrase: "an email address", fits: (text) => MAIL.test(text) },
  uri: { phrase: "a URI with a scheme", fits: (text) => ADDRESS_WITH_SCHEME.test(text) },
  url: { phrase: "a URL with a scheme", fits: (text) => ADDRESS_WITH_SCHEME.test(text) },
  iri: { phrase: "an IRI with a scheme" },
  "uri-reference": { phrase: "a URI or a relative reference" },
  uuid: { phrase: "a UUID", fits: (text) => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) },
  guid: { phrase: "a UUID" },
  hostname: { phrase: "a host name" },
  ipv4: { phrase: "an IPv4 address", fits: (text) => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) },
  ipv6: { phrase: "an IPv6 address", fits: (text) => /^[\da-f:.]{2,45}$/i.test(text) && text.includes(":") },
  "json-pointer": { phrase: "a JSON Pointer" },
  regex: { phrase: "a regular expression" },
  base64: { phrase: "base64 text" },
  base64url: { phrase: "base64url text" },
  byte: { phrase: "base64 text" },
};

function isDay(text: string): boolean {
  const [, year, month, day] = DAY.exec(text) ?? [];
  if (day === undefined) return false;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  // `Date.UTC` takes years below 100 for those of the twentieth century, so only month and day are compared.
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

function isClock(text: string, zone: RegExp): boolean {
  const [clock] = CLOCK.exec(text) ?? [];
  return clock !== undefined && zone.test(text.slice(clock.length));
}

/** The phrase of a format; one that is not known is named, when its name is a plain one. */
export function formatPhrase(name: string): string | undefined {
  if (isKnownFormat(name)) return KNOWN_FORMATS[name]?.phrase;
  return /^[a-z][a-z\d_-]{0,39}$/i.test(name) ? `text in the format ${name}` : undefined;
}

/** Whether a format is in the table. */
export function isKnownFormat(name: string): boolean {
  return Object.hasOwn(KNOWN_FORMATS, name);
}

/** Whether a text fits its format; undefined where that is not checked. */
export function fitsFormat(name: string, text: string): boolean | undefined {
  return isKnownFormat(name) ? KNOWN_FORMATS[name]?.fits?.(text) : undefined;
}
