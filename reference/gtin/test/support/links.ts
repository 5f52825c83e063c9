// Valid links, and the same links with one error.
import fc from "fast-check";
import { buildDigitalLink } from "../../src/digital-link/digital-link.ts";
import { digitalLink } from "./arbitraries.ts";

const SPOILS: Readonly<Record<string, (uri: string) => string>> = {
  nothing: (uri) => uri,
  "a wrong check digit": (uri) =>
    uri.replace(/(\/01\/\d{13})(\d)/, (_, front, digit) => `${front}${(Number(digit) + 1) % 10}`),
  "another order": (uri) => uri.replace(/\/10\/([^/?]+)\/21\/([^/?]+)/, "/21/$2/10/$1"),
  "a qualifier in the query": (uri) => `${uri}${uri.includes("?") ? "&" : "?"}22=A`,
  "a month that does not exist": (uri) => `${uri.split("?")[0]}?17=251301`,
  "a day that does not exist": (uri) => `${uri.split("?")[0]}?17=250230`,
  "an empty value": (uri) => uri.replace(/\/10\/[^/?]+/, "/10/"),
  "a value that is too long": (uri) => uri.replace(/\/10\/[^/?]+/, `/10/${"A".repeat(21)}`),
};

/** A link, right or spoilt. */
export const link: fc.Arbitrary<string> = fc
  .tuple(digitalLink, fc.constantFrom(...Object.values(SPOILS)))
  .map(([of, spoil]) => spoil(buildDigitalLink(of, "https://id.example.com")));
