import { judge } from "../gtin/judge.ts";
import type { DigitalLink, LinkProblem, Parsed } from "./digital-link.ts";
import { fitsQualifier, isDate, isDateAttribute, isQualifier, type Qualifier, SEQUENCES } from "./identifiers.ts";

const URI = /^(?:https?|HTTPS?):\/\/[A-Za-z0-9.:[\]-]+(\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/;
/** The last segment of a compressed link: base64url and nothing that could be read. */
const COMPRESSED = /^(?=.*[A-Z])(?=.*[a-z0-9])[A-Za-z0-9_-]{10,}$/;
const LONGEST = 2_048;

type Pairs = readonly (readonly [key: string, value: string])[];

/** Reads a GS1 Digital Link URI with a GTIN. */
export function parseDigitalLink(uri: string): Parsed {
  const found = uri.length <= LONGEST ? URI.exec(uri) : null;
  if (found === null) return failed("not_a_uri");
  const [, path = "", query = ""] = found;
  const segments = path.replace(/\/$/, "").split("/").slice(1);
  const at = keyAt(segments);
  if (at === undefined) return failed(COMPRESSED.test(segments.at(-1) ?? "") ? "compressed" : "no_key");
  const pairs = pairsOf(segments.slice(at));
  const asked = queryPairs(query);
  if (pairs === undefined || asked === undefined) return failed("escape");
  return linkOf(pairs, asked);
}

/** Where the key stands: pairs are read from the right, so that a lot called 01 is not taken for it. */
function keyAt(segments: readonly string[]): number | undefined {
  for (let at = segments.length - 2; at >= 0; at -= 2) if (segments[at] === "01") return at;
  return undefined;
}

function linkOf([key, ...path]: Pairs, query: Pairs): Parsed {
  const verdict = judge(key?.[1]);
  if (!verdict.valid) return failed("gtin");
  const keys = [...path, ...query].map(([name]) => name);
  if (new Set(["01", ...keys]).size !== keys.length + 1) return failed("duplicate");
  const problem = pathProblem(path) ?? queryProblem(query, keys);
  if (problem !== undefined) return failed(problem);
  const { gtin } = verdict;
  const link: DigitalLink = { gtin, qualifiers: Object.fromEntries(path), attributes: Object.fromEntries(query) };
  return { ok: true, link, short: key?.[1].length !== 14 };
}

function pathProblem(path: Pairs): LinkProblem | undefined {
  const keys = path.map(([key]) => key);
  if (!keys.every(isQualifier) || !SEQUENCES.some((sequence) => isPartOf(keys, sequence))) return "qualifiers";
  return path.every(([key, value]) => fitsQualifier(key as Qualifier, value)) ? undefined : "value";
}

function queryProblem(query: Pairs, keys: readonly string[]): LinkProblem | undefined {
  // Behind a third party's number a lot or a serial is a mere attribute, and none that is supported here.
  if (query.some(([key]) => isQualifier(key))) return keys.includes("235") ? "attribute" : "qualifier_in_query";
  if (!query.every(([key]) => isDateAttribute(key))) return "attribute";
  return query.every(([, value]) => isDate(value)) ? undefined : "value";
}

/** Whether the keys stand in the order of the sequence, some of which may be missing. */
function isPartOf(keys: readonly string[], sequence: readonly string[]): boolean {
  const places = keys.map((key) => sequence.indexOf(key));
  return places.every((place, at) => place > (places[at - 1] ?? -1));
}

function pairsOf(segments: readonly string[]): Pairs | undefined {
  const values = segments.map(decoded);
  if (values.includes(undefined)) return undefined;
  return values.flatMap((key, at) => (at % 2 === 0 ? [[key ?? "", values[at + 1] ?? ""] as const] : []));
}

/** Only keys of digits are GS1's; all others are the application's own, such as `linkType`. */
function queryPairs(query: string): Pairs | undefined {
  const pairs: (readonly [string, string])[] = [];
  for (const part of query.split("&")) {
    const [key = "", ...rest] = part.split("=");
    if (!/^[0-9]+$/.test(key)) continue;
    const value = decoded(rest.join("=").replaceAll("+", " "));
    if (value === undefined) return undefined;
    pairs.push([key, value]);
  }
  return pairs;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function failed(problem: LinkProblem): Parsed {
  return { ok: false, problem };
}
