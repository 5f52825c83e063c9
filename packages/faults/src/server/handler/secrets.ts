import { createSecretFilter, type SecretFilter } from "../../safety/secrets.ts";

/** Headers that hold credentials, by their names. */
const NAMES = /auth|cookie|key|token|secret/i;

/** The credentials that came with a request: they go neither into an answer nor into a log. */
export function secretsOf(request: Request): SecretFilter | undefined {
  const values: string[] = [];
  for (const [name, value] of request.headers) if (NAMES.test(name)) values.push(value, ...partsOf(value));
  return values.length === 0 ? undefined : createSecretFilter(values);
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
