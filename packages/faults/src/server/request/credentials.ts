import { createSecretFilter, type SecretFilter } from "../../safety/secrets.ts";

/** A filter for credentials as they came with a request: each whole, in its parts, and a Basic one decoded. */
export function credentialFilter(values: readonly string[]): SecretFilter | undefined {
  return values.length === 0 ? undefined : createSecretFilter(values.flatMap((value) => [value, ...partsOf(value)]));
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
