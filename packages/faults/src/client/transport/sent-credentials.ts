import type { SecretFilter } from "../../safety/secrets.ts";
import { credentialFilter, isCredentialHeader } from "../../sdk/credentials.ts";

/** Tokens are renewed now and then, and an answer may still show an old one. */
const MAX_REMEMBERED = 8;

/** Remembers the credentials that requests carried, so that no fault repeats them. */
export interface SentCredentials {
  /** Takes the credentials from the address and the headers of a request. */
  add(url: string | URL, headers: RequestInit["headers"]): void;
  /** Finds the credentials in texts. Undefined if none was sent. */
  filter(): SecretFilter | undefined;
}

/** Remembers the last credentials of one connection. */
export function rememberCredentials(): SentCredentials {
  const values = new Set<string>();
  let filter: SecretFilter | undefined;
  return {
    add(url, headers) {
      for (const value of credentialsIn(url, headers)) {
        if (values.has(value)) continue;
        values.add(value);
        for (const oldest of values) if (values.size > MAX_REMEMBERED) values.delete(oldest);
        filter = undefined;
      }
    },
    filter() {
      filter ??= credentialFilter([...values]);
      return filter;
    },
  };
}

function credentialsIn(url: string | URL, headers: RequestInit["headers"]): string[] {
  const named = [...new Headers(headers), ...parametersOf(url)];
  return named.filter(([name]) => isCredentialHeader(name)).map(([, value]) => value);
}

function parametersOf(url: string | URL): Iterable<readonly [string, string]> {
  return URL.canParse(String(url)) ? new URL(url).searchParams : [];
}
