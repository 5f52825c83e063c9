import { createSecretFilter, type SecretFilter } from "../safety/secrets.ts";

/** Headers that hold credentials, by their names. */
const CREDENTIAL_HEADER = /auth|cookie|key|token|secret/i;

/** Tells whether a header holds a credential. */
export function isCredentialHeader(name: string): boolean {
  return CREDENTIAL_HEADER.test(name);
}

/** Shorter parts are ignored: they are words such as `Bearer`, and callers choose them. */
const MIN_PART_LENGTH = 8;

/** A filter for credentials as they came with a request: each whole, each of its parts, and a Basic one decoded. */
export function credentialFilter(values: readonly string[]): SecretFilter | undefined {
  return values.length === 0 ? undefined : createSecretFilter(credentialParts(values));
}

/** What of credentials must not be shown: each whole, each of its parts, and a Basic one decoded. */
export function credentialParts(values: readonly string[]): readonly string[] {
  const parts = values.flatMap((value) => [value, ...partsOf(value)]);
  return parts.filter((part) => part.length >= MIN_PART_LENGTH);
}

function partsOf(value: string): string[] {
  const parts = value.slice(0, 8_192).split(/[\s;,]+|(?<=\w)=(?=\w)/);
  const [scheme = "", encoded = ""] = value.split(" ");
  if (scheme.toLowerCase() !== "basic") return parts;
  try {
    const pair = atob(encoded);
    return [...parts, pair, pair.slice(pair.indexOf(":") + 1)];
  } catch {
    return parts;
  }
}
