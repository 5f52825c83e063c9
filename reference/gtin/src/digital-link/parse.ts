import { checkGtin } from "../gtin/check-gtin.ts";
import {
  type DigitalLink,
  fitsQualifier,
  isDate,
  isDateAttribute,
  isQualifier,
  type LinkProblem,
  type Parsed,
  type Qualifier,
  SEQUENCES,
} from "./digital-link.ts";

const URI = /^(?:https?|HTTPS?):\/\/[A-Za-z0-9.:[\]-]+(\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/;
/** The last segment of a compressed link: base64url. */
const COMPRESSED = /^(?=.*[A-Z])(?=.*[a-z0-9])[A-Za-z0-9_-]{10,}$/;
const MAX_URI_LENGTH = 2_048;

type Pairs = readonly (readonly [key: string, value: string])[];

/** Parses a GS1 Digital Link URI with a GTIN. */
export function parseDigitalLink(uri: string): Parsed {
  const found = uri.length <= MAX_URI_LENGTH ? URI.exec(uri) : null;
  if (found === null) return invalidLink("not_a_uri");
  const [, path = "", query = ""] = found;
  const segments = path.replace(/\/$/, "").split("/").slice(1);
  const at = gtinIndex(segments);
  if (at === undefined) return invalidLink(COMPRESSED.test(segments.at(-1) ?? "") ? "compressed" : "no_key");
  const pairs = pairsOf(segments.slice(at));
  const asked = queryPairs(query);
  if (pairs === undefined || asked === undefined) return invalidLink("escape");
  return toLink(pairs, asked);
}

/** The index of the GTIN key. Pairs are read from the right, so that a lot named 01 is not mistaken for the key. */
function gtinIndex(segments: readonly string[]): number | undefined {
  for (let at = segments.length - 2; at >= 0; at -= 2) if (segments[at] === "01") return at;
  return undefined;
}

function toLink([key, ...path]: Pairs, query: Pairs): Parsed {
  const verdict = checkGtin(key?.[1]);
  if (!verdict.valid) return invalidLink("gtin");
  const keys = [...path, ...query].map(([name]) => name);
  if (new Set(["01", ...keys]).size !== keys.length + 1) return invalidLink("duplicate");
  const problem = pathProblem(path) ?? queryProblem(query, keys);
  if (problem !== undefined) return invalidLink(problem);
  const { gtin } = verdict;
  const link: DigitalLink = { gtin, qualifiers: Object.fromEntries(path), attributes: Object.fromEntries(query) };
  return { ok: true, link, short: key?.[1].length !== 14 };
}

function pathProblem(path: Pairs): LinkProblem | undefined {
  const keys = path.map(([key]) => key);
  if (!keys.every(isQualifier) || !SEQUENCES.some((sequence) => isSubsequence(keys, sequence))) return "qualifiers";
  return path.every(([key, value]) => fitsQualifier(key as Qualifier, value)) ? undefined : "value";
}

function queryProblem(query: Pairs, keys: readonly string[]): LinkProblem | undefined {
  // Beside a third party's serial number, a lot or serial number is an attribute, which is not supported.
  if (query.some(([key]) => isQualifier(key))) return keys.includes("235") ? "attribute" : "qualifier_in_query";
  if (!query.every(([key]) => isDateAttribute(key))) return "attribute";
  return query.every(([, value]) => isDate(value)) ? undefined : "value";
}

/** Whether the keys have the order of the sequence; some may be missing. */
function isSubsequence(keys: readonly string[], sequence: readonly string[]): boolean {
  const places = keys.map((key) => sequence.indexOf(key));
  return places.every((place, at) => place > (places[at - 1] ?? -1));
}

function pairsOf(segments: readonly string[]): Pairs | undefined {
  const values = segments.map(decodeText);
  if (values.includes(undefined)) return undefined;
  return values.flatMap((key, at) => (at % 2 === 0 ? [[key ?? "", values[at + 1] ?? ""] as const] : []));
}

/** Keys of digits belong to GS1; all others, such as `linkType`, belong to the application. */
function queryPairs(query: string): Pairs | undefined {
  const pairs: (readonly [string, string])[] = [];
  for (const part of query.split("&")) {
    const [key = "", ...rest] = part.split("=");
    if (!/^[0-9]+$/.test(key)) continue;
    const value = decodeText(rest.join("=").replaceAll("+", " "));
    if (value === undefined) return undefined;
    pairs.push([key, value]);
  }
  return pairs;
}

function decodeText(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function invalidLink(problem: LinkProblem): Parsed {
  return { ok: false, problem };
}
