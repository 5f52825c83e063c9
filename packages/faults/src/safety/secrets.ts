import { INVISIBLE } from "./line.ts";
import { encodingsOf } from "./secret-encodings.ts";
import { MIN_STRING_LENGTH, StringSearch } from "./string-search.ts";

/** Finds some secret values in texts, in any of their usual encodings. */
export interface SecretFilter {
  /** How many different values it looks for. */
  readonly size: number;
  /** Tells whether the text contains one of the values. */
  has(text: string): boolean;
}

/** Shorter values are ignored, since they would be found in ordinary words. */
export const MIN_SECRET_LENGTH: number = MIN_STRING_LENGTH;

/**
 * Creates a filter for exact values, such as the credentials of one request. Values of fewer than eight characters are
 * ignored.
 *
 * @example
 * const secrets = createSecretFilter([request.headers.authorization ?? ""]);
 * const fault = toFault(error, { secrets });
 */
export function createSecretFilter(values: Iterable<string>): SecretFilter {
  const search = new StringSearch();
  const known = new Set<string>();
  for (const value of values) if (value.length >= MIN_SECRET_LENGTH) known.add(value);
  for (const value of known) for (const encoding of encodingsOf(value)) search.add(encoding);
  return { size: known.size, has: (text) => foundInAnyForm(search, text) };
}

const registered = new StringSearch();
const registrations = new Map<string, number>();

/**
 * Registers secret values of this process. No fault, log line or rendered text will contain one of them, nor its base64,
 * percent or JSON form. Values of fewer than eight characters are ignored.
 *
 * The returned function takes the registration back. A value that was registered twice has to be taken back twice.
 *
 * @example
 * const unregister = registerSecrets(process.env.DATABASE_PASSWORD ?? "");
 */
export function registerSecrets(...values: readonly string[]): () => void {
  const added = values.filter((value) => value.length >= MIN_SECRET_LENGTH);
  for (const value of added) addRegistration(value);
  return () => {
    for (const value of added.splice(0)) removeRegistration(value);
  };
}

/** Tells whether a text contains a secret of this process, or one of the given filter. */
export function containsSecret(text: string, secrets?: SecretFilter): boolean {
  return (registrations.size > 0 && foundInAnyForm(registered, text)) || secrets?.has(text) === true;
}

function addRegistration(value: string): void {
  const count = registrations.get(value) ?? 0;
  registrations.set(value, count + 1);
  if (count === 0) for (const encoding of encodingsOf(value)) registered.add(encoding);
}

function removeRegistration(value: string): void {
  const count = registrations.get(value) ?? 0;
  if (count > 1) {
    registrations.set(value, count - 1);
    return;
  }
  registrations.delete(value);
  for (const encoding of encodingsOf(value)) registered.remove(encoding);
}

/** Searches a text as it is, without invisible characters, with compatibility characters replaced, and as one line. */
function foundInAnyForm(search: StringSearch, text: string): boolean {
  if (search.foundIn(text)) return true;
  const visible = text.replace(INVISIBLE, "");
  if (visible !== text && search.foundIn(visible)) return true;
  const folded = visible.normalize("NFKC");
  if (folded !== visible && search.foundIn(folded)) return true;
  const joined = folded.replace(/[\r\n]+[\t ]{0,16}/g, "");
  return joined !== folded && search.foundIn(joined);
}
