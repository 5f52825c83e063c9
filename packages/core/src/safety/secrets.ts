// Secrets whose values are known: those of the process, and those of one request.

import { type FoldedText, foldText } from "./folded-text.ts";
import type { TextSpan } from "./rules/rule.ts";

/** The length of the shortest secret. Shorter ones would be found in ordinary words and numbers. */
export const MIN_SECRET_LENGTH = 6;

/** Shorter lines of a secret with several lines are not searched for by themselves. */
const MIN_LINE_LENGTH = 16;

/** The forms in which a secret is searched for: as it is, encoded, and the lines of a value with several. */
function searchedForms(secret: string): ReadonlySet<string> {
  const values = [secret, secret.trim(), secret.replaceAll(/\s+/g, " "), ...secretLines(secret)];
  // Texts are folded before they are searched.
  const forms = values.flatMap((value) => [value, ...encodedForms(value)].map((form) => foldText(form).text));
  return new Set(forms.filter((form) => form.length >= MIN_SECRET_LENGTH));
}

// The first and last line of a PEM key are the same for every key.
function secretLines(secret: string): readonly string[] {
  if (!/[\r\n]/.test(secret)) return [];
  const lines = secret.split(/[\r\n]+/, 1000).map((line) => line.trim());
  return lines.filter((line) => line.length >= MIN_LINE_LENGTH && !line.startsWith("-----"));
}

/** How many places of a string are tried for its anchor. */
const ANCHOR_PLACES = 8;

interface SearchEntry {
  readonly form: string;
  /** Where the anchor starts in it. */
  readonly offset: number;
}

/** Finds any of many strings in one pass, by a part of each, its anchor. Its cost hardly depends on how many there are. */
class SecretSearch {
  readonly #uses = new Map<string, number>();
  readonly #byAnchor = new Map<string, readonly SearchEntry[]>();
  /** Marks how anchors begin, so that most places of a text are passed by without a look into the map. */
  readonly #begins = new Uint8Array(4096);

  add(secret: string): void {
    for (const form of searchedForms(secret)) {
      const uses = this.#uses.get(form) ?? 0;
      this.#uses.set(form, uses + 1);
      if (uses > 0) continue;
      const offset = this.#freeOffset(form);
      const anchor = anchorAt(form, offset);
      this.#byAnchor.set(anchor, [...(this.#byAnchor.get(anchor) ?? []), { form, offset }]);
      this.#begins[beginAt(anchor, 0)] = 1;
    }
  }

  remove(secret: string): void {
    for (const form of searchedForms(secret)) {
      const uses = this.#uses.get(form) ?? 0;
      if (uses > 1) {
        this.#uses.set(form, uses - 1);
        continue;
      }
      this.#uses.delete(form);
      for (const [anchor, entries] of this.#byAnchor) {
        const rest = entries.filter((entry) => entry.form !== form);
        if (rest.length === entries.length) continue;
        if (rest.length > 0) this.#byAnchor.set(anchor, rest);
        else this.#byAnchor.delete(anchor);
      }
    }
  }

  *find(text: string): Iterable<TextSpan> {
    if (this.#byAnchor.size === 0) return;
    for (let at = 0; at + MIN_SECRET_LENGTH <= text.length; at += 1) {
      if (this.#begins[beginAt(text, at)] === 0) continue;
      for (const { form, offset } of this.#byAnchor.get(anchorAt(text, at)) ?? [])
        if (text.startsWith(form, at - offset)) yield { start: at - offset, end: at - offset + form.length };
    }
  }

  // Secrets of one vendor start alike, so the anchor is taken from the place that fewest other strings use.
  #freeOffset(form: string): number {
    const last = form.length - MIN_SECRET_LENGTH;
    let best = last;
    let least = Number.POSITIVE_INFINITY;
    for (let part = ANCHOR_PLACES; part >= 0; part -= 1) {
      const offset = Math.floor((last * part) / ANCHOR_PLACES);
      const others = this.#byAnchor.get(anchorAt(form, offset))?.length ?? 0;
      if (others < least) [best, least] = [offset, others];
    }
    return best;
  }
}

function anchorAt(text: string, at: number): string {
  return text.slice(at, at + MIN_SECRET_LENGTH);
}

function beginAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 63) << 6) | (text.charCodeAt(at + 1) & 63);
}

/** Finds some secret values in texts: as they are, and as they stand in JSON, in addresses, in hex and in base64. */
export interface SecretFilter {
  /** How many different values it looks for. */
  readonly size: number;
  /** Tells whether the text contains one of the values. */
  has(text: string): boolean;
}

const searchesOf = new WeakMap<SecretFilter, () => readonly SecretSearch[]>();

/**
 * Creates a filter for exact values, such as the credentials of one request. Values of fewer than six characters are
 * ignored, since callers can choose them. Encoded values are found as by `registerSecrets`.
 *
 * @example
 * const secrets = createSecretFilter([request.headers.authorization ?? ""]);
 * const fault = toFault(error, { secrets });
 */
export function createSecretFilter(values: Iterable<string>): SecretFilter {
  const known = new Set([...values].filter((value) => value.length >= MIN_SECRET_LENGTH));
  let made: readonly SecretSearch[] | undefined;
  return filterWith(() => {
    made ??= [searchFor(known)];
    return made;
  }, known.size);
}

function searchFor(values: Iterable<string>): SecretSearch {
  const search = new SecretSearch();
  for (const value of values) search.add(value);
  return search;
}

function filterWith(searches: () => readonly SecretSearch[], size: number): SecretFilter {
  const filter: SecretFilter = { size, has: (text) => !isEmpty(findIn(searches(), foldText(text).text)) };
  searchesOf.set(filter, searches);
  return filter;
}

function* findIn(searches: readonly SecretSearch[], text: string): Iterable<TextSpan> {
  for (const search of searches) yield* search.find(text);
}

function isEmpty(spans: Iterable<TextSpan>): boolean {
  for (const _ of spans) return false;
  return true;
}

/** One filter for the secrets of two. */
export function joinSecretFilters<F extends SecretFilter | undefined>(
  one: F,
  other: SecretFilter | undefined,
): F | SecretFilter {
  if (one === undefined || other === undefined) return other ?? one;
  const [some, others] = [searchesOf.get(one), searchesOf.get(other)];
  if (some !== undefined && others !== undefined)
    return filterWith(() => [...some(), ...others()], one.size + other.size);
  return { size: one.size + other.size, has: (text) => one.has(text) || other.has(text) };
}

const registered = /* @__PURE__ */ new SecretSearch();
const registrations = /* @__PURE__ */ new Map<string, number>();

/**
 * Registers secret values of this process. No fault, log line or rendered text will contain one of them. A value is also
 * found as it stands in JSON, in addresses, in hex and in base64. An empty or absent value is ignored.
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
  return !isEmpty(findSecrets(foldText(text), secrets));
}

/** Where secrets stand in a folded text: those of this process, and those of the given filter. */
export function* findSecrets({ text }: FoldedText, secrets?: SecretFilter): Iterable<TextSpan> {
  yield* registered.find(text);
  if (secrets === undefined) return;
  const searches = searchesOf.get(secrets);
  if (searches === undefined) yield* findByHas(text, secrets);
  else yield* findIn(searches(), text);
}

/** A filter from other code cannot say where a secret stands, so each word is shown to it, and then the whole. */
function* findByHas(text: string, secrets: SecretFilter): Iterable<TextSpan> {
  if (!secrets.has(text)) return;
  const words = [...text.matchAll(/\S+/g)].filter(([word]) => secrets.has(word));
  if (words.length === 0) yield { start: 0, end: text.length };
  for (const { 0: word, index } of words) yield { start: index, end: index + word.length };
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
  if (count === 0) registered.add(value);
}

function removeRegistration(value: string): void {
  const count = registrations.get(value) ?? 0;
  if (count > 1) {
    registrations.set(value, count - 1);
    return;
  }
  registrations.delete(value);
  registered.remove(value);
}

/** The forms in which programs write a value: in JSON, also with other characters as ASCII, in an address, as hex, and in base64 at each of three places. */
function encodedForms(value: string): readonly string[] {
  const bytes = new TextEncoder().encode(value.toWellFormed());
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const json = JSON.stringify(value).slice(1, -1);
  const percent = encodeURIComponent(value.toWellFormed());
  return [
    json,
    json.replaceAll("/", "\\/"),
    json.replaceAll(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
    percent,
    new URLSearchParams([["", value]]).toString().slice(1),
    percent.replaceAll(/%[0-9A-F]{2}/g, (byte) => byte.toLowerCase()),
    hex,
    hex.toUpperCase(),
    hex.replaceAll(/../g, "%$&"),
    hex.toUpperCase().replaceAll(/../g, "%$&"),
    ...[0, 1, 2].flatMap((offset) => base64At(bytes, offset)),
  ];
}

/** What always stands in base64 if so many bytes come before the value, in both alphabets. */
function base64At(bytes: Uint8Array, offset: number): readonly string[] {
  const shifted = Array.from([...new Uint8Array(offset), ...bytes], (byte) => String.fromCharCode(byte)).join("");
  const whole = btoa(shifted).replace(/={1,2}$/, "");
  // The first and the last character also depend on the bytes beside the value.
  const from = offset === 0 ? 0 : offset + 1;
  const isOpen = shifted.length % 3 !== 0;
  const form = whole.slice(from, isOpen ? -1 : undefined);
  return [form, form.replaceAll("+", "-").replaceAll("/", "_")];
}
