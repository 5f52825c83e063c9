import { findOnce } from "./filter-work.ts";
import { foundUnderLayers } from "./layers.ts";

/**
 * The length of the shortest secret. Shorter ones would be found in ordinary words and numbers, and strings are found by a
 * part of this length, their anchor.
 */
export const MIN_SECRET_LENGTH = 6;

/** How many places of a string are tried for its anchor. */
const ANCHOR_PLACES = 8;
const BASE = 0x01000193;
const DROP = power(BASE, MIN_SECRET_LENGTH);

interface SearchEntry {
  readonly text: string;
  /** Where the anchor starts in the text. */
  readonly offset: number;
  readonly anchor: string;
  uses: number;
}

/** Finds any of many strings in a text in one pass (Rabin-Karp). Its cost hardly depends on how many there are. */
export class StringSearch {
  readonly #byText = new Map<string, SearchEntry>();
  readonly #byAnchor = new Map<string, SearchEntry[]>();
  #bits = new Int32Array(128);
  #shortest = Number.POSITIVE_INFINITY;

  /** The length of the shortest string that was ever added. */
  get shortest(): number {
    return this.#shortest;
  }

  /** Adds a string of at least six characters. A string that was added twice has to be removed twice. */
  add(text: string): void {
    const known = this.#byText.get(text);
    if (known) {
      known.uses++;
      return;
    }
    this.#shortest = Math.min(this.#shortest, text.length);
    const offset = this.#freeOffset(text);
    const entry: SearchEntry = { text, offset, anchor: text.slice(offset, offset + MIN_SECRET_LENGTH), uses: 1 };
    this.#byText.set(text, entry);
    const bucket = this.#byAnchor.get(entry.anchor);
    if (bucket) bucket.push(entry);
    else this.#byAnchor.set(entry.anchor, [entry]);
    if (this.#byAnchor.size * 2 > this.#bits.length) this.#grow();
    else this.#mark(entry.anchor);
  }

  /** Takes one `add` back. Its bit stays set, which only costs a lookup. */
  remove(text: string): void {
    const entry = this.#byText.get(text);
    if (!entry || --entry.uses > 0) return;
    this.#byText.delete(text);
    const rest = (this.#byAnchor.get(entry.anchor) ?? []).filter((other) => other !== entry);
    if (rest.length > 0) this.#byAnchor.set(entry.anchor, rest);
    else this.#byAnchor.delete(entry.anchor);
  }

  /** Tells whether the text contains any of the strings. */
  foundIn(text: string): boolean {
    if (this.#byText.size === 0 || text.length < this.#shortest) return false;
    const bits = this.#bits;
    const mask = bits.length * 32 - 1;
    let hash = 0;
    for (let end = 0; end < text.length; end++) {
      const dropped = end < MIN_SECRET_LENGTH ? 0 : text.charCodeAt(end - MIN_SECRET_LENGTH);
      // Kept to 32 bits, since engines count much faster with these.
      hash = (Math.imul(hash, BASE) + text.charCodeAt(end) - Math.imul(dropped, DROP)) | 0;
      const bit = mixBits(hash) & mask;
      const mayStart = ((bits[bit >>> 5] as number) >>> (bit & 31)) & 1;
      if (mayStart === 1 && end >= MIN_SECRET_LENGTH - 1 && this.#at(text, end + 1 - MIN_SECRET_LENGTH)) return true;
    }
    return false;
  }

  #at(text: string, start: number): boolean {
    const bucket = this.#byAnchor.get(text.slice(start, start + MIN_SECRET_LENGTH));
    return bucket?.some((entry) => text.startsWith(entry.text, start - entry.offset)) ?? false;
  }

  // Secrets of one vendor start alike, so the anchor is taken from the place that fewest other strings use.
  #freeOffset(text: string): number {
    const last = text.length - MIN_SECRET_LENGTH;
    let best = last;
    let least = Number.POSITIVE_INFINITY;
    for (let part = ANCHOR_PLACES; part >= 0; part--) {
      const offset = Math.floor((last * part) / ANCHOR_PLACES);
      const others = this.#byAnchor.get(text.slice(offset, offset + MIN_SECRET_LENGTH))?.length ?? 0;
      if (others < least) {
        best = offset;
        least = others;
      }
    }
    return best;
  }

  #grow(): void {
    this.#bits = new Int32Array(this.#bits.length * 4);
    for (const anchor of this.#byAnchor.keys()) this.#mark(anchor);
  }

  #mark(anchor: string): void {
    let hash = 0;
    for (let i = 0; i < MIN_SECRET_LENGTH; i++) hash = (Math.imul(hash, BASE) + anchor.charCodeAt(i)) | 0;
    const bit = mixBits(hash) & (this.#bits.length * 32 - 1);
    this.#bits[bit >>> 5] = (this.#bits[bit >>> 5] as number) | (1 << (bit & 31));
  }
}

function mixBits(hash: number): number {
  return hash ^ (hash >>> 15);
}

function power(base: number, exponent: number): number {
  let product = 1;
  for (let i = 0; i < exponent; i++) product = Math.imul(product, base);
  return product;
}

/** Shorter lines of a secret with several lines are not searched for by themselves. */
const MIN_LINE_LENGTH = 16;

/**
 * The forms in which a secret is searched for in a decoded text: the value, without spaces at its ends, with
 * compatibility characters replaced, with the spaces of a web form, and the lines of a value with several.
 */
export function formsToSearch(secret: string): ReadonlySet<string> {
  const forms = new Set<string>();
  for (const value of [secret, secret.trim(), secret.normalize("NFKC"), secret.toWellFormed()]) {
    forms.add(value);
    forms.add(value.replaceAll(" ", "+"));
  }
  for (const line of secretLines(secret)) forms.add(line);
  return new Set([...forms].filter((form) => form.length >= MIN_SECRET_LENGTH));
}

// The first and last line of a PEM key are the same for every key.
function secretLines(secret: string): string[] {
  if (!/[\r\n]/.test(secret)) return [];
  const lines = secret.split(/[\r\n]+/, 1000).map((line) => line.trim());
  return lines.filter((line) => line.length >= MIN_LINE_LENGTH && !line.startsWith("-----"));
}

/** Finds some secret values in texts, in any of their usual encodings, up to two of them inside each other. */
export interface SecretFilter {
  /** How many different values it looks for. */
  readonly size: number;
  /** Tells whether the text contains one of the values. */
  has(text: string): boolean;
}

/**
 * Creates a filter for exact values, such as the credentials of one request. Values of fewer than six characters are
 * ignored, since callers can choose them. Encoded values are found as by `registerSecrets`.
 *
 * @example
 * const secrets = createSecretFilter([request.headers.authorization ?? ""]);
 * const fault = toFault(error, { secrets });
 */
export function createSecretFilter(values: Iterable<string>): SecretFilter {
  const search = new StringSearch();
  const known = new Set<string>();
  for (const value of values) if (value.length >= MIN_SECRET_LENGTH) known.add(value);
  for (const value of known) for (const form of formsToSearch(value)) search.add(form);
  return filterWith([search], known.size);
}

/** What filters of this library search with, so that a text is decoded once for several of them. */
const searchesOf = new WeakMap<SecretFilter, readonly StringSearch[]>();

function filterWith(searches: readonly StringSearch[], size: number): SecretFilter {
  const filter: SecretFilter = { size, has: (text) => size > 0 && foundUnderLayers(searches, text) };
  searchesOf.set(filter, size > 0 ? searches : []);
  return filter;
}

/** One filter for the secrets of two. */
export function joinSecretFilters<F extends SecretFilter | undefined>(
  one: F,
  other: SecretFilter | undefined,
): F | SecretFilter {
  if (one === undefined || other === undefined) return other ?? one;
  const [some, others] = [searchesOf.get(one), searchesOf.get(other)];
  if (some !== undefined && others !== undefined) return filterWith([...some, ...others], one.size + other.size);
  return { size: one.size + other.size, has: (text) => one.has(text) || other.has(text) };
}

const registered = new StringSearch();
const registrations = new Map<string, number>();

/**
 * Registers secret values of this process. No fault, log line or rendered text will contain one of them. A value is also
 * found under two layers of encoding, in any order: percent, backslash or HTML escapes of some or all characters, base64,
 * and hex. An empty or absent value is ignored.
 *
 * It throws a TypeError for a value of one to five characters, which would be found in ordinary words and numbers.
 *
 * The returned function takes the registration back. A value that was registered twice has to be taken back twice.
 *
 * @example
 * const unregister = registerSecrets(process.env.DATABASE_PASSWORD);
 */
export function registerSecrets(...values: readonly (string | undefined)[]): () => void {
  values.forEach(checkLength);
  const added = values.flatMap((value) => value || []);
  for (const value of added) addRegistration(value);
  return () => {
    for (const value of added.splice(0)) removeRegistration(value);
  };
}

function checkLength(value: string | undefined, index: number): void {
  if (value === undefined || value === "") return;
  // Programs without types pass numbers and null. A secret that is not registered must not go unnoticed.
  if (typeof value !== "string") throw new TypeError(`secret ${index} of registerSecrets is not a string`);
  if (value.length >= MIN_SECRET_LENGTH) return;
  throw new TypeError(
    `secret ${index} of registerSecrets is too short: ${MIN_SECRET_LENGTH} characters are needed, or ordinary words would be taken for it. Use a longer secret`,
  );
}

/** Tells whether a text contains a secret of this process, or one of the given filter. */
export function containsSecret(text: string, secrets?: SecretFilter): boolean {
  return findOnce(secrets ?? registered, text, () => searchFor(text, secrets) || undefined) === true;
}

function searchFor(text: string, secrets: SecretFilter | undefined): boolean {
  const given = secrets === undefined ? [] : searchesOf.get(secrets);
  const searches = [...(registrations.size > 0 ? [registered] : []), ...(given ?? [])];
  if (searches.length > 0 && foundUnderLayers(searches, text)) return true;
  // A filter from other code.
  return given === undefined && secrets?.has(text) === true;
}

/** Takes all registrations back, for tests whose files share a process. */
export function unregisterAll(): void {
  for (const value of registrations.keys()) {
    registrations.set(value, 1);
    removeRegistration(value);
  }
}

function addRegistration(value: string): void {
  const count = registrations.get(value) ?? 0;
  registrations.set(value, count + 1);
  if (count === 0) for (const form of formsToSearch(value)) registered.add(form);
}

function removeRegistration(value: string): void {
  const count = registrations.get(value) ?? 0;
  if (count > 1) {
    registrations.set(value, count - 1);
    return;
  }
  registrations.delete(value);
  for (const form of formsToSearch(value)) registered.remove(form);
}
