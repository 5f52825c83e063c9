import type { SecretFilter } from "../../safety/secrets.ts";
import { credentialFilter } from "../request/credentials.ts";

/** Headers that hold credentials, by their names. */
const NAMES = /auth|cookie|key|token|secret/i;

/** The credentials that came with a request: they go neither into an answer nor into a log. */
export function secretsOf(request: Request): SecretFilter | undefined {
  const values: string[] = [];
  for (const [name, value] of request.headers) if (NAMES.test(name)) values.push(value);
  return credentialFilter(values);
}
