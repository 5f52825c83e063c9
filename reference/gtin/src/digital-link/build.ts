import type { DigitalLink } from "./digital-link.ts";
import { DATES, SEQUENCES } from "./identifiers.ts";

/** Writes a Digital Link URI under a base such as `https://id.example.com`: fourteen digits, qualifiers in GS1's order. */
export function buildDigitalLink(link: DigitalLink, base: string): string {
  const path = SEQUENCES.flat().flatMap((key) => segment(key, link.qualifiers[key]));
  const query = DATES.flatMap((key) => (link.attributes[key] === undefined ? [] : [`${key}=${link.attributes[key]}`]));
  const stem = base.replace(/\/+$/, "");
  return `${stem}/01/${link.gtin}${path.join("")}${query.length > 0 ? `?${query.join("&")}` : ""}`;
}

function segment(key: string, value: string | undefined): readonly string[] {
  return value === undefined ? [] : [`/${key}/${escaped(value)}`];
}

/** Everything outside the unreserved characters is escaped, those too that `encodeURIComponent` leaves alone. */
function escaped(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
