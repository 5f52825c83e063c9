// Clients of HTTP keep the request on their errors, and with it the keys of this server. An operator does not need them either.

import { peek, peekList, peekString, snapshot } from "../errors/peek.ts";
import { CUT_MARK } from "../safety/find-matches.ts";

/** Members in which clients keep a request or its options, and members of these that hold more of it. */
const REQUEST_MEMBERS = ["config", "request", "options", "response", "input"] as const;
const MAX_NESTED = 3;
const MAX_KEY_ERRORS = 20;

const SECRET_HEADER = /authorization|cookie|api-?key|token|secret|password|signature|credential|^x-.*key$/i;
/** A shorter value may stand in a text by chance. */
const MIN_KEY = 6;
const MAX_KEYS = 50;

/** Keys in addresses: `?api_key=…`. */
const ADDRESS_KEYS =
  /([?&;](?:[a-z0-9_.-]{0,32}(?:key|token|secret|password|passwd|signature|credential)|auth|sig|pwd|code)=)[^&;#\s"'`<>)\]}]+/gi;

/** The keys of the requests that are kept on an error, on its causes and on the errors of an aggregate. */
export function requestKeys(thrown: unknown): readonly string[] {
  const errors: unknown[] = [thrown];
  const keys = new Set<string>();
  for (let at = 0; at < errors.length && at < MAX_KEY_ERRORS; at++) {
    collectKeys(errors[at], keys, MAX_NESTED);
    errors.push(peek(errors[at], "cause"), ...peekList(errors[at], "errors", MAX_KEY_ERRORS));
  }
  return [...keys].slice(0, MAX_KEYS).toSorted((one, other) => other.length - one.length);
}

function collectKeys(holder: unknown, keys: Set<string>, depth: number): void {
  if (typeof holder !== "object" || holder === null || depth === 0) return;
  for (const [name, value] of headerEntries(holder)) {
    if (SECRET_HEADER.test(name)) for (const key of keysInHeader(value)) if (key.length >= MIN_KEY) keys.add(key);
  }
  for (const member of REQUEST_MEMBERS) collectKeys(peek(holder, member), keys, depth - 1);
}

interface Globals {
  readonly Headers?: { readonly prototype: object };
}

function headerEntries(holder: object): readonly (readonly [string, string])[] {
  const headers = peek(holder, "headers");
  // Node writes the head of a request as one text.
  const lines = peekString(holder, "_header")?.slice(0, 16_384).split("\r\n") ?? [];
  const written = lines.map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1)] as const);
  return [...written, ...fetchHeaderEntries(headers), ...plainEntries(headers)];
}

function fetchHeaderEntries(headers: unknown): [string, string][] {
  const prototype = (globalThis as Globals).Headers?.prototype;
  try {
    if (prototype === undefined || !Object.prototype.isPrototypeOf.call(prototype, headers as object)) return [];
    return [...(Reflect.get(prototype, "entries") as () => Iterable<[string, string]>).call(headers)];
  } catch {
    return [];
  }
}

function plainEntries(headers: unknown): [string, string][] {
  const copy = snapshot(headers);
  if (typeof copy !== "object" || copy === null) return [];
  return Object.entries(copy).flatMap(([name, value]) =>
    [value].flat().flatMap((one): [string, string][] => (typeof one === "string" ? [[name, one]] : [])),
  );
}

/** The whole value, the part behind a scheme such as `Bearer`, and the values of cookies. */
function keysInHeader(value: string): readonly string[] {
  const whole = value.trim();
  const cookies = whole.split(";").map((part) => part.slice(part.indexOf("=") + 1).trim());
  return [whole, whole.slice(whole.indexOf(" ") + 1).trim(), ...cookies];
}

/** The text without these keys, and without the keys in addresses. */
export function cutKeys(text: string, keys: readonly string[]): string {
  let clean = text.replace(ADDRESS_KEYS, `$1${CUT_MARK}`);
  for (const key of keys) for (const form of [key, encodeURIComponent(key)]) clean = clean.replaceAll(form, CUT_MARK);
  return clean;
}
