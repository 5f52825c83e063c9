import { findOnce } from "./filter-work.ts";
import { foundUnderLayers } from "./layer-search.ts";
import { formsOfSecret } from "./secret-forms.ts";
import { MIN_STRING_LENGTH, StringSearch } from "./string-search.ts";

/** Finds some secret values in texts, in any of their usual encodings, up to two of them inside each other. */
export interface SecretFilter {
  /** How many different values it looks for. */
  readonly size: number;
  /** Tells whether the text contains one of the values. */
  has(text: string): boolean;
}

/** Shorter values would be found in ordinary words and numbers. */
export const MIN_SECRET_LENGTH: number = MIN_STRING_LENGTH;

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
  for (const value of known) for (const form of formsOfSecret(value)) search.add(form);
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
export function joinSecrets<F extends SecretFilter | undefined>(
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
  // A filter of somebody else.
  return given === undefined && secrets?.has(text) === true;
}

function addRegistration(value: string): void {
  const count = registrations.get(value) ?? 0;
  registrations.set(value, count + 1);
  if (count === 0) for (const form of formsOfSecret(value)) registered.add(form);
}

function removeRegistration(value: string): void {
  const count = registrations.get(value) ?? 0;
  if (count > 1) {
    registrations.set(value, count - 1);
    return;
  }
  registrations.delete(value);
  for (const form of formsOfSecret(value)) registered.remove(form);
}
