import { isCookieName, isHeaderName, isOwnHeader } from "../operations/headers.ts";
import type { Added, Credential } from "./credential.ts";
import { headerValue, isCookieValue } from "./header-value.ts";

/** Where a key stands in a request. */
export interface KeyPlace {
  readonly in: "header" | "query" | "cookie";
  readonly name: string;
}

/** A key of this server, at the place that the document names, or that is given here where it names none. */
export function apiKey(value: string, place?: KeyPlace): Credential {
  const key = headerValue(value, "key");
  if (place !== undefined && !canHold(place, key)) throw new TypeError(`the key cannot be sent in a ${place.in}`);
  return {
    owner: "own",
    secrets: [key],
    fits: (scheme) =>
      scheme?.type === "apiKey"
        ? canHold({ in: scheme.in, name: scheme.key }, key)
        : scheme === undefined && place !== undefined,
    async prove(scheme) {
      const at = scheme?.type === "apiKey" ? { in: scheme.in, name: scheme.key } : place;
      return { ok: true, added: at === undefined ? {} : addedAt(at, key), secrets: [] };
    },
  };
}

function canHold({ in: place, name }: KeyPlace, key: string): boolean {
  // A document could name a header that says where a request goes or how long it is.
  const isCredential = /^(?:proxy-)?authorization$/i.test(name);
  if (place === "header") return isHeaderName(name) && (isCredential || !isOwnHeader(name));
  return place === "cookie" ? isCookieName(name) && isCookieValue(key) : name !== "" && name.isWellFormed();
}

function addedAt({ in: place, name }: KeyPlace, key: string): Added {
  switch (place) {
    case "header":
      return { headers: { [name.toLowerCase()]: key } };
    case "query":
      return { query: { [name]: key } };
    case "cookie":
      return { cookies: { [name]: key } };
    default:
      return place satisfies never;
  }
}
